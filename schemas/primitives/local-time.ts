import { z } from "zod";

import { type Instant, instantFromMs } from "./instant.ts";

/** A wall-clock time without a zone: `2026-03-01T09:00`. Times compare as text. */
export const LocalTime = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d$/u, {
    abort: true,
  })
  .refine((text) => timeOfMs(msOf(text)) === text, "a day of the calendar")
  .brand<"LocalTime">();
export type LocalTime = z.infer<typeof LocalTime>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Of the time as if it were UTC. */
const msOf = (text: string): number => Date.parse(`${text}:00Z`);
const timeOfMs = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes much longer than using it. @throws RangeError for a zone that is not known */
function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("sv-SE-u-ca-iso8601", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(zone, format);
  return format;
}

/** How far the clocks of a zone are ahead of UTC. */
const aheadMs = (ms: number, zone: string): number =>
  Date.parse(`${formatIn(zone).format(ms).replace(" ", "T")}Z`) - Math.floor(ms / 1000) * 1000;

/** What clocks of a zone show. @param zone an IANA name */
export function localTimeIn(instant: Instant, zone: string): LocalTime {
  const ms = Date.parse(instant);
  return LocalTime.parse(timeOfMs(ms + aheadMs(ms, zone)));
}

const known = new Map<string, Instant>();
const knownMax = 50_000;

/**
 * When clocks of a zone show a time: where it is shown twice, the first time; where clocks skip it, when
 * they have skipped it. Asked of the rules that the runtime knows now.
 * @param zone an IANA name
 * @throws RangeError for a zone that is not known
 */
export function instantOfLocal(time: LocalTime, zone: string): Instant {
  const key = `${time} ${zone}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const instant = instantFromMs(firstShown(msOf(time), zone));
  if (known.size >= knownMax) known.clear();
  known.set(key, instant);
  return instant;
}

function firstShown(timeMs: number, zone: string): number {
  // Zones are at most 14 hours ahead and 12 behind.
  const ahead = [-15, 13].map((hours) => aheadMs(timeMs + hours * hourMs, zone));
  const shown = ahead
    .map((ms) => timeMs - ms)
    .filter((ms) => ms + aheadMs(ms, zone) === timeMs)
    .toSorted((one, other) => one - other);
  return shown[0] ?? firstAfter(timeMs, ahead, zone);
}

/** Clocks skip the time: between two instants they show earlier times first, and later ones then. */
function firstAfter(timeMs: number, ahead: readonly number[], zone: string): number {
  let before = timeMs - Math.max(...ahead) - 1;
  let after = timeMs - Math.min(...ahead);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + aheadMs(middle, zone) < timeMs) before = middle;
    else after = middle;
  }
  return after;
}
