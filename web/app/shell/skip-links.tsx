import { useTranslation } from "react-i18next";

import "./skip-links.css";

export function SkipLinks() {
  const { t } = useTranslation("shell");
  return (
    <nav className="skip-links" aria-label={t("skip.label")}>
      <a href="#main">{t("skip.main")}</a>
      <a href="#navigation">{t("skip.navigation")}</a>
      <a href="#footer">{t("skip.footer")}</a>
    </nav>
  );
}
