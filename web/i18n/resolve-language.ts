import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { fallbackLanguage, isLanguage, languageCookie, languageOfTag } from "./languages.ts";

export type LanguageSources = {
  /** The value of `document.cookie`. */
  cookies: string;
  /** What local storage holds under `i18n_language`. */
  stored: string | null;
  /** `navigator.languages`. */
  preferred: readonly string[];
  /** `navigator.language`. */
  browser: string;
};

/** The language cookie out of `document.cookie`, if it names a language of the product. */
export function languageFromCookies(cookies: string): Locale | undefined {
  for (const pair of cookies.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === languageCookie && isLanguage(value)) return value;
  }
  return undefined;
}

/** Cookie, local storage, list of the browser, language of the browser, English (specification §9). */
export function resolveLanguage(sources: LanguageSources): Locale {
  const cookie = languageFromCookies(sources.cookies);
  if (cookie !== undefined) return cookie;
  if (isLanguage(sources.stored)) return sources.stored;
  for (const tag of [...sources.preferred, sources.browser]) {
    const language = languageOfTag(tag);
    if (language !== undefined) return language;
  }
  return fallbackLanguage;
}
