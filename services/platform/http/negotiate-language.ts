import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import { fallbackLocale, type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import Negotiator from "negotiator";

const languageCookie = "preferred_language";
const yearSeconds = 365 * 24 * 60 * 60;

export type LanguagePreferences = {
  /** `?lang=`: a request to switch, which overrides everything. */
  query: string | undefined;
  /** The `cookie` header. */
  cookies: string | undefined;
  /** The `accept-language` header. */
  accepted: string | undefined;
};

function fromCookies(header: string): Locale | undefined {
  for (const pair of header.split(";")) {
    const [name, value] = pair.trim().split("=");
    const locale = name === languageCookie ? localeOfTag(value) : undefined;
    if (locale !== undefined) return locale;
  }
  return undefined;
}

/** Best match by quality, then by order (RFC 9110 §12.5.4); `iw` is the old code of Hebrew. */
function fromAccepted(header: string): Locale | undefined {
  const negotiator = new Negotiator({ headers: { "accept-language": header } });
  return localeOfTag(negotiator.language([...locales, "iw"]));
}

/** The language to answer in: query, cookie, browser, English (specification §9). */
export function negotiateLanguage(preferences: LanguagePreferences): Locale {
  return (
    localeOfTag(preferences.query) ??
    fromCookies(preferences.cookies ?? "") ??
    fromAccepted(preferences.accepted ?? "") ??
    fallbackLocale
  );
}

/** The `set-cookie` header that stores a choice of language for a year (specification §4). */
export function languageChoiceCookie(locale: Locale): string {
  return `${languageCookie}=${locale}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
