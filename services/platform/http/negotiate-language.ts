import { fallbackLocale, Locale, locales } from "@pro-talent/schemas/primitives/locale";
import Negotiator from "negotiator";

export const languageCookie = "preferred_language";

export type LanguagePreferences = {
  /** `?lang=`, which overrides everything and changes nothing for later. */
  query: string | undefined;
  /** The `cookie` header. */
  cookies: string | undefined;
  /** The `accept-language` header. */
  accepted: string | undefined;
};

function asLocale(text: string | undefined): Locale | undefined {
  const parsed = Locale.safeParse(text);
  return parsed.success ? parsed.data : undefined;
}

function fromCookies(header: string): Locale | undefined {
  for (const pair of header.split(";")) {
    const [name, value] = pair.trim().split("=");
    const locale = name === languageCookie ? asLocale(value) : undefined;
    if (locale !== undefined) return locale;
  }
  return undefined;
}

/** Best match by quality, then by order (RFC 9110 §12.5.4); `iw` is the old code of Hebrew. */
function fromAccepted(header: string): Locale | undefined {
  const negotiator = new Negotiator({ headers: { "accept-language": header } });
  const best = negotiator.language([...locales, "iw"]);
  return asLocale(best === "iw" ? "he" : best);
}

/** The language to answer in: query, cookie, browser, English (specification §9). */
export function negotiateLanguage(preferences: LanguagePreferences): Locale {
  return (
    asLocale(preferences.query) ??
    fromCookies(preferences.cookies ?? "") ??
    fromAccepted(preferences.accepted ?? "") ??
    fallbackLocale
  );
}
