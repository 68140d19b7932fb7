import type { OpenMailPreference } from "@pro-talent/schemas/links/mail-events";
import { dayIn, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

const minuteMs = 60_000;
const firstOpenMinutes = 5;
const digestMinutes = 8 * 60;

/** Days from Sunday: the working week begins on Sunday in Israel, on Monday elsewhere. */
const firstWorkday: Readonly<Record<Locale, number>> = { he: 0, en: 1 };

/**
 * When an account's opens are looked at next, always after `now`; null when mails are off. Digests are
 * due at 08:00 of the owner's zone. @param zone an IANA name
 */
export function nextLook(
  preference: OpenMailPreference,
  { zone, locale }: { readonly zone: string; readonly locale: Locale },
  now: Instant,
): Instant | null {
  if (preference === "off") return null;
  if (preference === "first-open") return instantPlus(now, firstOpenMinutes * minuteMs);
  for (let day = dayIn(now, zone); ; day = dayPlus(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const isDue = preference === "daily" || weekday === firstWorkday[locale];
    const due = morningOf(startOfDay(day, zone), zone);
    if (isDue && due > now) return due;
  }
}

/** 08:00 by the clock, also on a day on which the clock changes during the night. */
function morningOf(midnight: Instant, zone: string): Instant {
  const due = instantPlus(midnight, digestMinutes * minuteMs);
  const format = { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const shown = new Intl.DateTimeFormat("en", format).format(Date.parse(due));
  const [hour = 0, minute = 0] = shown.split(":").map(Number);
  return instantPlus(due, (digestMinutes - hour * 60 - minute) * minuteMs);
}
