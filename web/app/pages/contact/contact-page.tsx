import { useTranslation } from "react-i18next";

export function ContactPage() {
  const { t } = useTranslation("contact");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
