import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { RunningClock } from "@pro-talent/schemas/privacy/overview-calls";
import { expect, it } from "vitest";

import { calendarOf } from "./calendar-weeks.ts";

const clock = (kind: RunningClock["kind"], at: string): RunningClock => ({
  kind,
  endsAt: instantFromMs(Date.parse(at)),
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  detail: "access",
});
/** A Wednesday. */
const now = Date.parse("2026-11-25T10:00:00Z");
const shown = (...clocks: RunningClock[]) => {
  const { past, weeks } = calendarOf(clocks, now);
  const days = weeks.flatMap((week) => week.days).filter((day) => day.clocks.length > 0);
  return { past, firsts: weeks.map(({ first }) => first), days: days.map(({ day }) => day) };
};

it("a week begins on Sunday, and the present one is always shown", () => {
  expect(shown()).toEqual({ past: [], firsts: ["2026-11-22"], days: [] });
  const later = shown(clock("erase", "2026-12-10T09:00:00Z"));
  expect(later.firsts).toEqual(["2026-11-22", "2026-12-06"]);
});

it("a due date is shown on the last day on which a decision is in time, by the days of Israel", () => {
  expect(shown(clock("due", "2026-11-28T22:00:00Z")).days).toEqual(["2026-11-28"]);
  expect(shown(clock("erase", "2026-11-28T22:00:00Z")).days).toEqual(["2026-11-29"]);
});

it("what has ended stands before the weeks", () => {
  const ended = clock("hold-review", "2026-11-25T09:59:59Z");
  expect(shown(ended)).toMatchObject({ past: [ended], days: [] });
});
