import { useTranslation } from "react-i18next";

import { openSettingsEvent } from "../../../features/consent/consent-actor.ts";
import { Button } from "../../../ui/button/button.tsx";
import { LegalPage, type LegalSection } from "../legal/legal-page.tsx";
import { analyticsEntries, essentialEntries, type StorageEntry } from "./storage-entries.ts";

function EntryTable({ title, entries }: { title: string; entries: readonly StorageEntry[] }) {
  const { t } = useTranslation("cookie-policy");
  const kinds = { cookie: t("kinds.cookie"), local: t("kinds.local"), tab: t("kinds.tab") };
  return (
    <table className="legal-table legal-table--stacked">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("columns.name")}</th>
          <th scope="col">{t("columns.kind")}</th>
          <th scope="col">{t("columns.purpose")}</th>
          <th scope="col">{t("columns.until")}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ name, kind, words }) => (
          <tr key={name}>
            <th scope="row">
              <code dir="ltr">{name}</code>
            </th>
            <td>{kinds[kind]}</td>
            <td>{t(`entries.${words}.purpose`)}</td>
            <td>{t(`entries.${words}.until`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OpenSettings() {
  const { t } = useTranslation("cookie-policy");
  return (
    <>
      <p>{t("openHint")}</p>
      <Button look="solid" onClick={() => window.dispatchEvent(new Event(openSettingsEvent))}>
        {t("open")}
      </Button>
    </>
  );
}

export function CookiePolicyPage() {
  const { t } = useTranslation("cookie-policy");
  const sections: readonly LegalSection[] = [
    { id: "settings", title: t("settings"), content: <OpenSettings /> },
    {
      id: "essential",
      title: t("essential.title"),
      content: (
        <>
          <p>{t("essential.body")}</p>
          <EntryTable title={t("essential.title")} entries={essentialEntries} />
        </>
      ),
    },
    {
      id: "analytics",
      title: t("analytics.title"),
      content: (
        <>
          <p>{t("analytics.body")}</p>
          <EntryTable title={t("analytics.title")} entries={analyticsEntries} />
        </>
      ),
    },
    { id: "others", title: t("others.title"), content: <p>{t("others.body")}</p> },
  ];
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
