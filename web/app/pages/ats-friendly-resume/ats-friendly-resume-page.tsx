import { useTranslation } from "react-i18next";

export function AtsFriendlyResumePage() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
