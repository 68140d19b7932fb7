import type { Locale } from "@pro-talent/schemas/primitives/locale";

/**
 * An instant on the clock of a time zone: `November 22, 2026 at 14:05`.
 * @param zone an IANA name; without it, the zone of the browser
 */
export function instantText(language: Locale, instant: string | Date, zone?: string): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(new Date(instant));
}
