import { z } from "zod";

import { Day, dayPlus, dayPlusMonths } from "../primitives/calendar.ts";

export const BillingCycle = z.enum(["monthly", "annual"]);
export type BillingCycle = z.infer<typeof BillingCycle>;

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

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

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
