import { useTranslation } from "react-i18next";

export function ProTalentMeaningPage() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
