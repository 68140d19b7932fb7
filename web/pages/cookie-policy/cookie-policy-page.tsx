import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { LegalPage, type LegalSection } from "../legal/legal-page.tsx";
import { OpenSettings } from "../legal/open-settings.tsx";
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
        {entries.map(({ name, kind, textKey }) => (
          <tr key={name}>
            <th scope="row">
              <code dir="ltr">{name}</code>
            </th>
            <td>{kinds[kind]}</td>
            <td>{t(`entries.${textKey}.purpose`)}</td>
            <td>{t(`entries.${textKey}.until`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Choice() {
  const { t } = useTranslation("cookie-policy");
  return (
    <>
      <p>{t("openHint")}</p>
      <OpenSettings look="solid" />
      <p>{t("signals")}</p>
    </>
  );
}

function Refusing() {
  const { t } = useTranslation("cookie-policy");
  return (
    <>
      <p>{t("browser.body")}</p>
      <p>
        <Link to="/privacy#recorded">{t("browser.more")}</Link>
      </p>
    </>
  );
}

function Entries({ body, title, entries }: { body: string } & Parameters<typeof EntryTable>[0]) {
  return (
    <>
      <p>{body}</p>
      <EntryTable title={title} entries={entries} />
    </>
  );
}

export function CookiePolicyPage() {
  const { t } = useTranslation("cookie-policy");
  const [essential, analytics] = [t("essential.title"), t("analytics.title")];
  const sections: readonly LegalSection[] = [
    { id: "settings", title: t("settings"), content: <Choice /> },
    {
      id: "essential",
      title: essential,
      content: <Entries body={t("essential.body")} title={essential} entries={essentialEntries} />,
    },
    {
      id: "analytics",
      title: analytics,
      content: <Entries body={t("analytics.body")} title={analytics} entries={analyticsEntries} />,
    },
    { id: "others", title: t("others.title"), content: <p>{t("others.body")}</p> },
    { id: "browser", title: t("browser.title"), content: <Refusing /> },
    { id: "changes", title: t("changes.title"), content: <p>{t("changes.body")}</p> },
  ];
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
