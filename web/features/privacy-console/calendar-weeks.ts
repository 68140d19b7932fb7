import type { RunningClock } from "@pro-talent/schemas/privacy/overview-calls";

import { localTime } from "../local-time.ts";

/** The zone in which legal days are counted. */
export const legalZone = "Asia/Jerusalem";

/** `day` and `first` are calendar days, `YYYY-MM-DD`. */
export type CalendarDay = { readonly day: string; readonly clocks: readonly RunningClock[] };
export type CalendarWeek = { readonly first: string; readonly days: readonly CalendarDay[] };
export type Calendar = {
  readonly today: string;
  /** Ended before now, the oldest first. */
  readonly past: readonly RunningClock[];
  /** Weeks from Sunday in which a clock ends, the present one always. */
  readonly weeks: readonly CalendarWeek[];
};

const dayMs = 24 * 60 * 60_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
const sundayOf = (day: string): string => dayAfter(day, -new Date(day).getUTCDay());

/** The last day on which an act is in time: a due date is the first instant of the day after. */
const dayOf = ({ kind, endsAt }: RunningClock): string =>
  localTime(Date.parse(endsAt) - (kind === "due" ? 1 : 0), legalZone).day;

/** Clocks by week and day, as a calendar shows them. */
export function calendarOf(clocks: readonly RunningClock[], nowMs: number): Calendar {
  const today = localTime(nowMs, legalZone).day;
  const past = clocks.filter(({ endsAt }) => Date.parse(endsAt) <= nowMs);
  const ahead = Map.groupBy(
    clocks.filter(({ endsAt }) => Date.parse(endsAt) > nowMs),
    dayOf,
  );
  const firsts = new Set([today, ...ahead.keys()].map(sundayOf));
  const weeks = [...firsts]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((first) => ({
      first,
      days: Array.from({ length: 7 }, (_, index) => {
        const day = dayAfter(first, index);
        return { day, clocks: ahead.get(day) ?? [] };
      }),
    }));
  return { today, past, weeks };
}
