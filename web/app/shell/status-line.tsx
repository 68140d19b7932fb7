import { useTranslation } from "react-i18next";

import { type ConsentStore, useConsent } from "../../features/consent/consent-store.ts";

/** Announces what was saved. The live region exists before its text, as screen readers require. */
export function StatusLine({ consent }: { consent: ConsentStore }) {
  const { t } = useTranslation("consent");
  const { choice, decision } = useConsent(consent);
  const saved = choice !== undefined && decision !== undefined;
  return (
    <output className="visually-hidden">
      {saved && (consent.status === "granted" ? t("saved.granted") : t("saved.denied"))}
    </output>
  );
}
