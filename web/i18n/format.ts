import type { Locale } from "@pro-talent/schemas/primitives/locale";

type DateStyle = "date" | "day" | "shortDay";

const options: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  date: { dateStyle: "long", timeZone: "UTC" },
  day: { day: "numeric", month: "long", timeZone: "UTC" },
  shortDay: { day: "numeric", month: "short", timeZone: "UTC" },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A calendar date (`YYYY-MM-DD`) for readers: `October 17, 2025`, `October 17` or `Oct 17`. The
 * result is text for a page and never parsed: its form differs between browsers.
 */
export function formatDate(language: Locale, date: string, style: DateStyle = "date"): string {
  const key = `${language} ${style}`;
  // Formatters are slow to create, so each is created once.
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options[style]);
  formats.set(key, format);
  return format.format(new Date(`${date}T00:00:00Z`));
}
