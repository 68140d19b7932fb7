import type { Locale } from "./locale.ts";

/**
 * The product language of a language tag, as written in addresses, cookies, storage and browser
 * settings: `he-IL` and `HE` are Hebrew, and so is its old code `iw`. Undefined for other languages.
 * Without zod, because the browser uses it before the first paint.
 */
export function localeOfTag(tag: string | null | undefined): Locale | undefined {
  const [language] = (tag ?? "").trim().toLowerCase().split(/[-_]/);
  if (language === "iw") return "he";
  return language === "en" || language === "he" ? language : undefined;
}
