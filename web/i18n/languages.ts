import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** Keys of the stored language (specification §3). */
export const languageCookie = "preferred_language";
export const languageStorageKey = "i18n_language";
/** One year, in seconds. */
export const languageCookieSeconds = 365 * 24 * 60 * 60;

export const languages = ["en", "he"] as const satisfies readonly Locale[];
export const fallbackLanguage: Locale = "en";

export function isLanguage(value: unknown): value is Locale {
  return languages.some((language) => language === value);
}

export function directionOf(language: Locale): "ltr" | "rtl" {
  return language === "he" ? "rtl" : "ltr";
}

/** The language that the switcher offers. */
export function otherLanguage(language: Locale): Locale {
  return language === "he" ? "en" : "he";
}
