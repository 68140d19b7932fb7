import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { isLanguage, languageCookie } from "./languages.ts";

/** The language in `document.cookie`; undefined if it has no supported one. */
export function languageFromCookies(cookies: string): Locale | undefined {
  for (const pair of cookies.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === languageCookie && isLanguage(value)) return value;
  }
  return undefined;
}

/**
 * The language of local storage, if the server received no cookie. The server has resolved the rest
 * of the order (specification §9).
 */
export function languageUnknownToServer(
  cookies: string,
  stored: string | null,
): Locale | undefined {
  if (languageFromCookies(cookies) !== undefined) return undefined;
  return isLanguage(stored) ? stored : undefined;
}
