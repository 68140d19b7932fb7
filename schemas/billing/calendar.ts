import { z } from "zod";

import { type Instant, instantFromMs } from "../primitives/instant.ts";

/** A calendar day, `YYYY-MM-DD`. Days compare as text. */
export const Day = z.iso.date().brand<"Day">();
export type Day = z.infer<typeof Day>;

export const BillingCycle = z.enum(["monthly", "annual"]);
export type BillingCycle = z.infer<typeof BillingCycle>;

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

const monthsOf: Readonly<Record<BillingCycle, number>> = { monthly: 1, annual: 12 };

/**
 * Which period of a subscription: it begins so many months after the anchor. Every period is computed
 * from the anchor, never from the end of the one before, so that the 31st stays the 31st.
 */
export const PeriodPlace = z
  .object({ anchor: Day, months: z.int().nonnegative(), cycle: BillingCycle })
  .readonly();
export type PeriodPlace = z.infer<typeof PeriodPlace>;

/** From the first day to the day before the last: half open. */
export type Period = { readonly from: Day; readonly to: Day };

const periods = new WeakMap<PeriodPlace, Period>();

/** The days of a period. Every rule asks for them, so that each place is computed once. */
export function periodAt(place: PeriodPlace): Period {
  const known = periods.get(place);
  if (known !== undefined) return known;
  const { anchor, months, cycle } = place;
  const period = {
    from: dayPlusMonths(anchor, months),
    to: dayPlusMonths(anchor, months + monthsOf[cycle]),
  };
  periods.set(place, period);
  return period;
}

/** The place after another one; the cycle may change there, the anchor does not. */
export function nextPlace({ anchor, months, cycle }: PeriodPlace, next = cycle): PeriodPlace {
  return { anchor, months: months + monthsOf[cycle], cycle: next };
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

const hebrew = new Intl.DateTimeFormat("en-u-ca-hebrew", {
  timeZone: "UTC",
  month: "long",
  day: "numeric",
});

function hebrewDate(day: Day): string {
  const parts = new Map(hebrew.formatToParts(msOf(day)).map(({ type, value }) => [type, value]));
  return `${parts.get("day")} ${parts.get("month")}`;
}

/** New Year (two days), Day of Atonement, first and last day of Tabernacles and Passover, Pentecost. */
const holidays: ReadonlySet<string> = new Set([
  "1 Tishri",
  "2 Tishri",
  "10 Tishri",
  "15 Tishri",
  "22 Tishri",
  "15 Nisan",
  "21 Nisan",
  "6 Sivan",
]);

/**
 * Whether a day is a day of rest in Israel: the Sabbath, the days of rest of section 18A of the Law and
 * Administration Ordinance, and Independence Day on the day on which it is kept (Independence Day Law).
 */
export function isRestDay(day: Day): boolean {
  return weekday(day) === saturday || holidays.has(hebrewDate(day)) || isIndependenceDay(day);
}

const saturday = 6;
const weekday = (day: Day): number => new Date(msOf(day)).getUTCDay();

/** The 5th of Iyar; on the Thursday before when that is a Friday or Saturday, on Tuesday when a Monday. */
const isIndependenceDay = (day: Day): boolean =>
  independenceDays.has(`${weekday(day)} ${hebrewDate(day)}`);
/** By weekday, from Sunday as 0, and date. */
const independenceDays: ReadonlySet<string> = new Set([
  "2 6 Iyar",
  "3 5 Iyar",
  "4 3 Iyar",
  "4 4 Iyar",
]);

/** Days in which a contract can be withdrawn from, the first not counted. */
export const withdrawalDays = 14;

/**
 * The last day of the withdrawal period: the 14th after the day of the contract, and the next working day
 * when that is a day of rest (Consumer Protection Law 14C; Interpretation Law 10).
 */
export function lastWithdrawalDay(contract: Day): Day {
  let day = dayPlus(contract, withdrawalDays);
  while (isRestDay(day)) day = dayPlus(day, 1);
  return day;
}
