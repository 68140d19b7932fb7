import { type Day, dayIn, dayPlus, daysBetween } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { RunningClock } from "@pro-talent/schemas/privacy/overview-calls";

/** The zone in which legal days are counted. */
export const legalZone = "Asia/Jerusalem";

export type CalendarDay = { readonly day: Day; readonly clocks: readonly RunningClock[] };
export type CalendarWeek = { readonly first: Day; readonly days: readonly CalendarDay[] };
export type Calendar = {
  /** Ended before now, the oldest first. */
  readonly past: readonly RunningClock[];
  /** Weeks from Sunday in which a clock ends, the present one always. */
  readonly weeks: readonly CalendarWeek[];
};

/** The last day on which an act is in time: a due date is the first instant of the day after. */
const dayOf = ({ kind, endsAt }: RunningClock): Day =>
  dayIn(kind === "due" ? instantPlus(endsAt, -1) : endsAt, legalZone);

const sundayOf = (day: Day): Day => dayPlus(day, -new Date(day).getUTCDay());

/** Clocks by week and day, as a calendar shows them. */
export function calendarOf(clocks: readonly RunningClock[], nowMs: number): Calendar {
  const today = dayIn(instantFromMs(nowMs), legalZone);
  const past = clocks.filter(({ endsAt }) => Date.parse(endsAt) <= nowMs);
  const ahead = Map.groupBy(
    clocks.filter(({ endsAt }) => Date.parse(endsAt) > nowMs),
    dayOf,
  );
  const firsts = new Set([today, ...ahead.keys()].map(sundayOf));
  const weeks = [...firsts]
    .toSorted((a, b) => daysBetween(b, a))
    .map((first) => ({
      first,
      days: Array.from({ length: 7 }, (_, index) => {
        const day = dayPlus(first, index);
        return { day, clocks: ahead.get(day) ?? [] };
      }),
    }));
  return { past, weeks };
}
