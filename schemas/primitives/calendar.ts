import { z } from "zod";

import { type Instant, instantFromMs } from "./instant.ts";

/** A calendar day, `YYYY-MM-DD`. Days compare as text. */
export const Day = z.iso.date().brand<"Day">();
export type Day = z.infer<typeof Day>;

const dayMs = 24 * 60 * 60 * 1000;
const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text is made in the form of a day
const dayOfMs = (ms: number): Day => new Date(ms).toISOString().slice(0, 10) as Day;

/** The day so many days later, or earlier. */
export const dayPlus = (day: Day, days: number): Day => dayOfMs(msOf(day) + days * dayMs);

/** Days from one day to another: 0 for the same day. */
export const daysBetween = (from: Day, to: Day): number => (msOf(to) - msOf(from)) / dayMs;

/** The later of days. */
export const latestDay = (first: Day, ...others: readonly Day[]): Day =>
  others.reduce((latest, day) => (day > latest ? day : latest), first);

/** The same day so many months later; the month's last day where it has no such day. */
export function dayPlusMonths(day: Day, months: number): Day {
  const first = new Date(msOf(day));
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return dayPlus(dayOfMs(first.getTime()), Math.min(Number(day.slice(8)), last) - 1);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes much longer than using it. */
function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-CA-u-ca-iso8601", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  formats.set(zone, format);
  return format;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format makes the form of a day
const dayAtMs = (ms: number, zone: string): Day => formatIn(zone).format(ms) as Day;

/** The calendar day of an instant in a time zone. @param zone an IANA name */
export const dayIn = (instant: Instant, zone: string): Day => dayAtMs(Date.parse(instant), zone);

const starts = new Map<string, Instant>();
const startsMax = 50_000;

/**
 * The first instant of a day in a time zone: where the clock skips midnight, the first that exists; where
 * an hour is repeated, the first of the two. A day that a zone skipped altogether begins with the next.
 */
export function startOfDay(day: Day, zone: string): Instant {
  const key = `${day} ${zone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  // Zones are at most 14 hours ahead and 12 behind. Days grow with time, so that the border can be halved.
  let before = msOf(day) - 15 * 60 * 60 * 1000;
  let from = msOf(day) + 13 * 60 * 60 * 1000;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayAtMs(middle, zone) < day) before = middle;
    else from = middle;
  }
  const start = instantFromMs(from);
  if (starts.size >= startsMax) starts.clear();
  starts.set(key, start);
  return start;
}
