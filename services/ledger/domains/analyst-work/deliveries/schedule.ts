import type { Schedule } from "@pro-talent/schemas/analysts/saved-work";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantOfLocal, LocalTime, localTimeIn } from "@pro-talent/schemas/primitives/local-time";

const dayMs = 24 * 60 * 60 * 1000;

/** Further than two such days of any schedule are apart: the 31st of a month is its last day where it has none. */
const daysAhead = 63;

/**
 * When a delivery is due next: the first time after the instant that clocks of its zone show, by the rules that the
 * runtime knows now. A time that clocks skip is due when they have skipped it, one that they show twice the first time.
 */
export function nextDue(schedule: Schedule, after: Instant): Instant {
  const { time, zone } = schedule;
  const today = Date.parse(localTimeIn(after, zone).slice(0, 10));
  for (let days = 0; days <= daysAhead; days += 1) {
    const day = new Date(today + days * dayMs);
    if (!isDayOf(schedule, day)) continue;
    const local = LocalTime.parse(`${day.toISOString().slice(0, 10)}T${time}`);
    const due = instantOfLocal(local, zone);
    if (due > after) return due;
  }
  throw new Error("A schedule has no day");
}

/** @param day at midnight, as if it were UTC */
function isDayOf(schedule: Schedule, day: Date): boolean {
  switch (schedule.every) {
    case "day":
      return true;
    case "week":
      // ISO 8601: Sunday is 7.
      return (day.getUTCDay() || 7) === schedule.weekday;
    case "month": {
      const lastDay = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0));
      return day.getUTCDate() === Math.min(schedule.day, lastDay.getUTCDate());
    }
  }
}

export type DayRange = { readonly from: string; readonly to: string };

/** The days of a delivery in UTC, until the day before it is sent. */
export function daysBefore(now: Instant, lastDays: number): DayRange {
  const today = Date.parse(now.slice(0, 10));
  const dayBefore = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10);
  return { from: dayBefore(lastDays), to: dayBefore(1) };
}
