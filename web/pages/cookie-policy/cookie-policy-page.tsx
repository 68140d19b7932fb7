import { readerCookie } from "@pro-talent/schemas/analytics/limits";
import { useTranslation } from "react-i18next";

import {
  analyticsStorageKey,
  anonymousIdKey,
  visitSessionKey,
} from "../../analytics/identity-store.ts";
import { tokenStorageKey } from "../../api-client/token.ts";
import { Link } from "../../app/routing.ts";
import { queriesPrefix } from "../../features/analyst/forget-queries.ts";
import { givenKey, preferencesKey } from "../../features/consent/consent-storage.ts";
import { contactDraftKey } from "../../features/contact/contact-writing.ts";
import { themeStorageKey } from "../../features/theme/theme.ts";
import { languageCookie, languageStorageKey } from "../../i18n/languages.ts";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSections, LegalTable, OpenSettings } from "../legal/legal-parts.tsx";

/** What the browser stores, by the ids of its texts. */
const stored: Record<string, readonly [name: string, kind: "cookie" | "local" | "tab"]> = {
  language: [languageCookie, "cookie"],
  seen: ["seen", "cookie"],
  owner: ["owner", "cookie"],
  languageStorage: [languageStorageKey, "local"],
  theme: [themeStorageKey, "local"],
  preferences: [preferencesKey, "local"],
  given: [givenKey, "local"],
  token: [tokenStorageKey, "local"],
  queries: [`${queriesPrefix}…`, "local"],
  contactDraft: [contactDraftKey, "tab"],
  analyticsStorage: [analyticsStorageKey, "local"],
  anonymousId: [anonymousIdKey, "local"],
  session: [visitSessionKey, "tab"],
  reader: [readerCookie, "cookie"],
};

type EntryTexts = Readonly<Record<string, { purpose: string; until: string }>>;

/** The entries of a section, whose title is the caption of the table. */
function EntryTable({ id: section, entries }: { id: string; entries: EntryTexts }) {
  const { t } = useTranslation("cookie-policy");
  const caption = t("sections", { returnObjects: true })[section]?.title ?? "";
  const rows = Object.entries(entries).map(([id, { purpose, until }]) => {
    const [name, kind] = stored[id] ?? [id, "local"];
    return [id, { name, kind: t(`kinds.${kind}`), purpose, until }] as const;
  });
  return (
    <LegalTable
      caption={caption}
      columns={t("columns", { returnObjects: true })}
      rows={Object.fromEntries(rows)}
      render={(text, column) => (column === 0 ? <code dir="ltr">{text}</code> : text)}
      stacked
    />
  );
}

export function Page() {
  const { t } = useTranslation("cookie-policy");
  const { essential, analytics } = t("entries", { returnObjects: true });
  const sections = legalSections(t("sections", { returnObjects: true }), {
    settings: (
      <>
        <OpenSettings variant="solid" />
        <p>{t("more.signals")}</p>
      </>
    ),
    essential: <EntryTable id="essential" entries={essential} />,
    analytics: <EntryTable id="analytics" entries={analytics} />,
    browser: (
      <p>
        <Link className="legal__link" to="/privacy#recorded">
          {t("more.browser")}
        </Link>
      </p>
    ),
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
