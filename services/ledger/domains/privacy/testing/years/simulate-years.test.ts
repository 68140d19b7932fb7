import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { clocksOf } from "@pro-talent/schemas/privacy/clocks";
import { expect, it } from "vitest";

import { independentDueMs } from "./jerusalem.ts";
import { simulateYears } from "./simulate-years.ts";

/** A linear congruential generator: numbers between 0 and 1 that follow from a seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

it("due dates equal those of an independent table, every hour of ten years", () => {
  const wrong: string[] = [];
  for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2036, 0, 1); ms += 60 * 60_000) {
    const { dueAt } = clocksOf("access", instantFromMs(ms));
    if (Date.parse(dueAt) !== independentDueMs(ms)) wrong.push(`${instantFromMs(ms)} ${dueAt}`);
  }
  expect(wrong).toEqual([]);
});

it("ten years of requests pass without a missed due date, an early erasure or one without end", () => {
  const { broken, missed, erased, daysToDecision } = simulateYears({
    requests: 2000,
    years: 10,
    random: seeded(1),
  });
  expect({ broken, missed }).toEqual({ broken: [], missed: 0 });
  expect(erased).toBeGreaterThan(500);
  expect(daysToDecision.at(-1)).toBeLessThan(22);
});

it("without the warnings of officers due dates are missed", () => {
  const years = { requests: 2000, years: 10, random: seeded(1), warned: false };
  const { broken, missed } = simulateYears(years);
  expect(broken).toEqual([]);
  expect(missed).toBeGreaterThan(0);
});
