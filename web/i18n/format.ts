import type { Locale } from "@pro-talent/schemas/primitives/locale";

const made = new Map<string, Intl.DateTimeFormat>();

/** Formatters are slow to create, so each is created once. The time zone is always explicit. */
function dateFormat(
  language: Locale,
  options: Intl.DateTimeFormatOptions & { timeZone: string },
): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(language, options);
  made.set(key, format);
  return format;
}

/** `3 November` and `3 בנובמבר`, in the zone. */
export function formatDay(language: Locale, instant: string, timeZone: string): string {
  const options = { day: "numeric", month: "long", timeZone } as const;
  return dateFormat(language, options).format(new Date(instant));
}

/** `November 3` in short form: `Nov 3`. */
export function formatShortDay(language: Locale, instant: string, timeZone: string): string {
  const options = { day: "numeric", month: "short", timeZone } as const;
  return dateFormat(language, options).format(new Date(instant));
}

/** `October 17, 2025`. */
export function formatDate(language: Locale, date: string): string {
  const options = { dateStyle: "long", timeZone: "UTC" } as const;
  return dateFormat(language, options).format(new Date(date));
}

/** Hours and minutes on the 24-hour clock, the same in both languages. */
export function formatTime(language: Locale, instant: string, timeZone: string): string {
  const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  return dateFormat(language, options).format(new Date(instant));
}

/** The calendar day of an instant in the zone, as `YYYY-MM-DD`. */
export function dayOf(instant: string, timeZone: string): string {
  const options = { year: "numeric", month: "2-digit", day: "2-digit", timeZone } as const;
  return new Intl.DateTimeFormat("en-CA", options).format(new Date(instant));
}

/** Country name of an ISO 3166 code. */
export function countryName(language: Locale, code: string): string {
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
