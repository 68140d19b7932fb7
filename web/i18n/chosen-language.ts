import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { languageCookie } from "./languages.ts";

/** The language in `document.cookie`; undefined if it has no supported one. */
export function languageFromCookies(cookies: string): Locale | undefined {
  for (const pair of cookies.split(";")) {
    const [name, value] = pair.trim().split("=");
    const language = name === languageCookie ? localeOfTag(value) : undefined;
    if (language !== undefined) return language;
  }
  return undefined;
}

/** The first supported language of `navigator.languages`. */
export function languageOfBrowser(tags: readonly string[]): Locale | undefined {
  return tags.map((tag) => localeOfTag(tag)).find((language) => language !== undefined);
}
