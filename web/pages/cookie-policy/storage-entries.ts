import {
  analyticsStorageKey,
  anonymousIdKey,
  visitSessionKey,
} from "../../analytics/identity-store.ts";
import { tokenStorageKey } from "../../api-client/token.ts";
import { givenKey, preferencesKey } from "../../features/consent/consent-storage.ts";
import { contactDraftKey } from "../../features/contact/contact-writing.ts";
import { themeStorageKey } from "../../features/theme/theme.ts";
import { languageCookie, languageStorageKey } from "../../i18n/languages.ts";

export type StorageEntry = {
  name: string;
  kind: "cookie" | "local" | "tab";
  /** Key of its texts in the namespace of the page. */
  textKey:
    | "language"
    | "languageStorage"
    | "theme"
    | "preferences"
    | "given"
    | "token"
    | "contactDraft"
    | "analyticsStorage"
    | "anonymousId"
    | "session";
};

/** Stored without consent, because the site does not work without it. */
export const essentialEntries: readonly StorageEntry[] = [
  { name: languageCookie, kind: "cookie", textKey: "language" },
  { name: languageStorageKey, kind: "local", textKey: "languageStorage" },
  { name: themeStorageKey, kind: "local", textKey: "theme" },
  { name: preferencesKey, kind: "local", textKey: "preferences" },
  { name: givenKey, kind: "local", textKey: "given" },
  { name: tokenStorageKey, kind: "local", textKey: "token" },
  { name: contactDraftKey, kind: "tab", textKey: "contactDraft" },
];

/** Stored only after consent. */
export const analyticsEntries: readonly StorageEntry[] = [
  { name: analyticsStorageKey, kind: "local", textKey: "analyticsStorage" },
  { name: anonymousIdKey, kind: "local", textKey: "anonymousId" },
  { name: visitSessionKey, kind: "tab", textKey: "session" },
];
