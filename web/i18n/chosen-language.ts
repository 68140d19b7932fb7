import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { isLanguage, languageCookie } from "./languages.ts";

/** The language cookie out of `document.cookie`, if it names a language of the product. */
export function languageFromCookies(cookies: string): Locale | undefined {
  for (const pair of cookies.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === languageCookie && isLanguage(value)) return value;
  }
  return undefined;
}

/**
 * The language that only this browser knows: local storage holds it and no cookie has told the
 * server. Everything else of the order (cookie, storage, browser, English; specification §9) the
 * server has resolved already.
 */
export function languageUnknownToServer(
  cookies: string,
  stored: string | null,
): Locale | undefined {
  if (languageFromCookies(cookies) !== undefined) return undefined;
  return isLanguage(stored) ? stored : undefined;
}
