import { useTranslation } from "react-i18next";

export function DoNotSellPage() {
  const { t } = useTranslation("do-not-sell");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
