import { useTranslation } from "react-i18next";

export function WhatIsAtsPage() {
  const { t } = useTranslation("what-is-ats");
  return (
    <header className="page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
    </header>
  );
}
