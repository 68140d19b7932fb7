import { useTranslation } from "react-i18next";

export function SkipLinks() {
  const { t } = useTranslation("shell");
  return (
    <nav className="skip-links" aria-label={t("skip.label")}>
      <a className="skip-link" href="#main">
        {t("skip.main")}
      </a>
      <a className="skip-link" href="#navigation">
        {t("skip.navigation")}
      </a>
      <a className="skip-link" href="#footer">
        {t("skip.footer")}
      </a>
    </nav>
  );
}
