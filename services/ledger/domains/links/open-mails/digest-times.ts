import { dayIn, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

const minuteMs = 60_000;
const digestMinutes = 8 * 60;

/** Days from Sunday: the working week begins on Sunday in Israel, on Monday elsewhere. */
const firstWorkday: Readonly<Record<Locale, number>> = { he: 0, en: 1 };

/** Whose digest it is. */
type Owner = {
  /** An IANA name. */
  readonly zone: string;
  readonly locale: Locale;
};

/** When a digest is due next, always after `now`: at 08:00 of the owner's zone. */
export function nextDigest(
  preference: "daily" | "weekly",
  { zone, locale }: Owner,
  now: Instant,
): Instant {
  for (let day = dayIn(now, zone); ; day = dayPlus(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const isDue = preference === "daily" || weekday === firstWorkday[locale];
    const due = morningOf(startOfDay(day, zone), zone);
    if (isDue && due > now) return due;
  }
}

const lookBackMs = 8 * 24 * 60 * minuteMs;

/** When the latest digest was due, at or before `now`. */
export function lastDue(preference: "daily" | "weekly", owner: Owner, now: Instant): Instant {
  let due = nextDigest(preference, owner, instantPlus(now, -lookBackMs));
  for (let next = due; next <= now; next = nextDigest(preference, owner, next)) due = next;
  return due;
}

/** 08:00 by the clock, also on a day on which the clock changes during the night. */
function morningOf(midnight: Instant, zone: string): Instant {
  const due = instantPlus(midnight, digestMinutes * minuteMs);
  const format = { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const shown = new Intl.DateTimeFormat("en", format).format(Date.parse(due));
  const [hour = 0, minute = 0] = shown.split(":").map(Number);
  return instantPlus(due, (digestMinutes - hour * 60 - minute) * minuteMs);
}
