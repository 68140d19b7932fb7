import type { StageKind } from "@pro-talent/schemas/applications/application";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect, it } from "vitest";

import { type Counted, statisticsOf } from "./statistics.ts";

const day = (number: number) => instantFromMs(Date.UTC(2026, 2, number, 9));

/** @param steps kinds of stages, with the days of March on which it came there */
const application = (source: string, ...steps: readonly [StageKind, number][]): Counted => ({
  steps: steps.map(([kind, on]) => ({ kind, at: day(on) })),
  now: steps.at(-1)?.[0] ?? "saved",
  source,
});

const applications = [
  application("LinkedIn", ["saved", 1], ["applied", 3], ["interviewing", 8], ["offered", 20]),
  application("LinkedIn", ["applied", 2], ["rejected", 12]),
  application("A friend", ["applied", 4], ["interviewing", 6], ["interviewing", 9]),
  application("", ["saved", 5]),
];

it("a funnel counts what came so far, also past stages that were skipped", () => {
  const { stages, applications: count } = statisticsOf(applications);
  expect(count).toBe(4);
  expect(stages.map(({ kind, reached, now }) => [kind, reached, now])).toEqual([
    ["saved", 4, 1],
    ["applied", 3, 0],
    ["interviewing", 2, 1],
    ["offered", 1, 1],
    ["accepted", 0, 0],
    ["rejected", 1, 1],
    ["withdrawn", 0, 0],
  ]);
});

it("the time in a stage is the median of the stays that ended, over all stages of a kind", () => {
  const days = new Map(statisticsOf(applications).stages.map((s) => [s.kind, s.medianDays]));
  expect(days.get("saved")).toBe(2);
  // Five, ten and two days.
  expect(days.get("applied")).toBe(5);
  expect(days.get("interviewing")).toBe(12);
  expect(days.get("rejected")).toBeNull();
});

it("sources are counted with the interviews that they led to", () => {
  expect(statisticsOf(applications).sources).toEqual([
    { source: "LinkedIn", applications: 2, interviews: 1 },
    { source: "A friend", applications: 1, interviews: 1 },
  ]);
});
