import { fallbackLocale, Locale } from "@pro-talent/schemas/primitives/locale";

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

/** The product's language of a tag; `iw` is the old code of Hebrew. */
function ofTag(tag: string): Locale | undefined {
  const primary = tag.toLowerCase().split("-", 1)[0];
  return asLocale(primary === "iw" ? "he" : primary);
}

/** Best match by quality, then by order (RFC 9110 §12.5.4); `q=0` refuses a language. */
function fromAccepted(header: string): Locale | undefined {
  const offers = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.trim().split(";");
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
    return { locale: ofTag(tag), quality: quality === undefined ? 1 : Number(quality) };
  });
  const [best] = offers
    .filter(({ quality, locale }) => quality > 0 && locale !== undefined)
    .toSorted((one, other) => other.quality - one.quality);
  return best?.locale;
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
