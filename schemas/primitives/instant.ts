import { z } from "zod";

/** A moment as ISO 8601 with milliseconds and `Z`, for example `2026-03-01T08:00:00.000Z`. */
export const Instant = z.iso.datetime({ precision: 3 }).brand<"Instant">();
export type Instant = z.infer<typeof Instant>;

/** The instant of a JavaScript time value in milliseconds since 1970. */
export function instantFromMs(ms: number): Instant {
  const text = new Date(ms).toISOString();
  if (text.length !== instantLength) throw new RangeError(`${text} is no instant`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- between the years 0 and 9999 this is its form
  return text as Instant;
}

const instantLength = "2026-03-01T08:00:00.000Z".length;

/**
 * The same day and time so many calendar months later (UTC); the month's last day where it has no such
 * day.
 */
export function instantPlusMonths(instant: Instant, months: number): Instant {
  const later = new Date(instant);
  const day = later.getUTCDate();
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(later);
  lastDay.setUTCMonth(later.getUTCMonth() + 1, 0);
  later.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return instantFromMs(later.getTime());
}

/** The instant so many milliseconds later. Instants compare as text: all have the same form. */
export function instantPlus(instant: Instant, ms: number): Instant {
  return instantFromMs(Date.parse(instant) + ms);
}
