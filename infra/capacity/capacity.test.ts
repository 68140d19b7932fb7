import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { growthOf, queues, type Run, simulate } from "./simulate.ts";
import { breaksFirst, coresOf, type Limit, type Sizes, sizesFor, withSpares } from "./sizes.ts";
import { capacityTables, overload, queueOf, scales, withOneFewer } from "./tables.ts";
import { times, type Traffic, trafficOf } from "./traffic.ts";

const page = readFileSync(new URL("../docs/capacity.md", import.meta.url), "utf8");
const seeds = [1, 2, 3] as const;
/** What chance makes a queue grow between the halves of a run, beside what is there. */
const noise = 0.03;

/** Queues that grow, beside the processors that are there and the records that arrive. */
function growing(run: Run, sizes: Sizes, traffic: Traffic): string[] {
  const growth = growthOf(run);
  const scale = (queue: (typeof queues)[number]): number => {
    if (queue === "spool") return traffic.events;
    return queue === "recording" ? 1 : coresOf(sizes, queue);
  };
  return queues.filter((queue) => growth[queue] > scale(queue) * noise);
}

function fewer(sizes: Sizes, limit: Limit): Sizes {
  const one = withOneFewer(sizes, limit);
  if (one === undefined) throw new Error("There is only one machine");
  return one;
}

describe("the capacity page", () => {
  it("has the tables that the arithmetic and the simulation print", () => {
    for (const table of capacityTables()) expect(page).toContain(table);
  });
});

describe.each(scales)("%d events a day", (eventsPerDay) => {
  const sizes = sizesFor(eventsPerDay);
  const traffic = trafficOf(eventsPerDay);
  const { limit, at } = breaksFirst(sizes);

  it.each(seeds)("leave every queue bounded in the busiest hour (seed %d)", (seed) => {
    for (const some of [sizes, withSpares(sizes)])
      expect(growing(simulate(some, traffic, { seed }), some, traffic)).toEqual([]);
  });

  it.each(seeds)("break first what the page names, and nothing before (seed %d)", (seed) => {
    const [less, more] = [times(traffic, at * 0.9), times(traffic, at * overload)];
    expect(growing(simulate(sizes, less, { seed }), sizes, less)).toEqual([]);
    const run = simulate(sizes, more, { seed });
    expect(growing(run, sizes, more)).toContain(queueOf(limit));
  });
});

it("a thousand million events a day overflow with one machine fewer of what breaks first", () => {
  const sizes = sizesFor(1e9);
  const traffic = trafficOf(1e9);
  const { limit } = breaksFirst(sizes);
  const small = fewer(sizes, limit);
  for (const seed of seeds) {
    const long = simulate(small, traffic, { seed, seconds: 480 });
    // Twice as long a time, twice as long a queue: nothing limits it.
    const waiting = (share: number): number =>
      long.waiting[Math.floor(long.waiting.length * share) - 1]?.[queueOf(limit)] ?? 0;
    expect(waiting(1) / waiting(0.5)).toBeGreaterThan(1.7);
  }
});

it("shows the same for the same seed", () => {
  const run = (seed: number) => simulate(sizesFor(1e7), trafficOf(1e7), { seed, seconds: 20 });
  expect(run(7)).toEqual(run(7));
  expect(run(7)).not.toEqual(run(8));
});
