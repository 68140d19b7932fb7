import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../../features/consent/consent-actor.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Link } from "../../routing.ts";
import { LegalPage, type LegalSection } from "../legal/legal-page.tsx";
import { RecordedTable } from "./recorded-table.tsx";

function Withdraw() {
  const { t } = useTranslation("privacy");
  return (
    <>
      <p>{t("sections.withdraw.body")}</p>
      <Button onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}>
        {t("sections.withdraw.button")}
      </Button>
    </>
  );
}

function Storage() {
  const { t } = useTranslation("privacy");
  return (
    <>
      <p>{t("sections.storage.body")}</p>
      <p>
        <Link to="/cookie-policy">{t("sections.storage.link")}</Link>
      </p>
    </>
  );
}

export function PrivacyPage() {
  const { t } = useTranslation("privacy");
  const sections: readonly LegalSection[] = [
    { id: "recorded", title: t("comparison.title"), content: <RecordedTable /> },
    {
      id: "without-consent",
      title: t("sections.without.title"),
      content: <p>{t("sections.without.body")}</p>,
    },
    {
      id: "with-consent",
      title: t("sections.with.title"),
      content: <p>{t("sections.with.body")}</p>,
    },
    {
      id: "signals",
      title: t("sections.signals.title"),
      content: <p>{t("sections.signals.body")}</p>,
    },
    { id: "retention", title: t("sections.time.title"), content: <p>{t("sections.time.body")}</p> },
    { id: "withdraw", title: t("sections.withdraw.title"), content: <Withdraw /> },
    {
      id: "receipt",
      title: t("sections.receipt.title"),
      content: <p>{t("sections.receipt.body")}</p>,
    },
    { id: "storage", title: t("sections.storage.title"), content: <Storage /> },
  ];
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
