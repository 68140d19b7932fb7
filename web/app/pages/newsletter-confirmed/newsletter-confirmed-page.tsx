import { useTranslation } from "react-i18next";

export function NewsletterConfirmedPage() {
  const { t } = useTranslation("newsletter-confirmed");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
