import {
  analyticsStorageKey,
  anonymousIdKey,
  sessionStorageKey,
} from "../../../analytics/identity-store.ts";
import { tokenStorageKey } from "../../../api-client/token.ts";
import { givenKey, preferencesKey } from "../../../features/consent/consent-storage.ts";
import { themeStorageKey } from "../../../features/theme/theme.ts";
import { languageCookie, languageStorageKey } from "../../../i18n/languages.ts";

export type StorageEntry = {
  name: string;
  kind: "cookie" | "local" | "tab";
  /** Key of its words in the namespace of the page. */
  words:
    | "language"
    | "languageStorage"
    | "theme"
    | "preferences"
    | "given"
    | "token"
    | "analyticsStorage"
    | "anonymousId"
    | "session";
};

/** What the site keeps in a browser without asking, because it cannot work without. */
export const essentialEntries: readonly StorageEntry[] = [
  { name: languageCookie, kind: "cookie", words: "language" },
  { name: languageStorageKey, kind: "local", words: "languageStorage" },
  { name: themeStorageKey, kind: "local", words: "theme" },
  { name: preferencesKey, kind: "local", words: "preferences" },
  { name: givenKey, kind: "local", words: "given" },
  { name: tokenStorageKey, kind: "local", words: "token" },
];

/** What it keeps only after consent. */
export const analyticsEntries: readonly StorageEntry[] = [
  { name: analyticsStorageKey, kind: "local", words: "analyticsStorage" },
  { name: anonymousIdKey, kind: "local", words: "anonymousId" },
  { name: sessionStorageKey, kind: "tab", words: "session" },
];
