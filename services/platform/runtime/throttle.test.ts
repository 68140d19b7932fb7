import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createThrottle, type Pace } from "./wait.ts";

const never = new AbortController().signal;

/** A clock that only waiting and working advance; timers wake late by `lateMs`. */
function steppedPace(lateMs: () => number): Pace & { work: (ms: number) => void } {
  let now = 0;
  return {
    now: () => now,
    wait: async (ms) => {
      now += ms + lateMs();
    },
    work: (ms) => {
      now += ms;
    },
  };
}

/** Moments at which turns were given, with the duration of each turn's work. */
async function turns(perSecond: number, workMs: readonly number[], lateMs = 0): Promise<number[]> {
  const pace = steppedPace(() => lateMs);
  const throttle = createThrottle(perSecond, pace);
  const given: number[] = [];
  for (const ms of workMs) {
    await throttle.turn(never);
    given.push(pace.now());
    pace.work(ms);
  }
  return given;
}

describe("the throttle", () => {
  it("gives the first turn at once and the others evenly spaced", async () => {
    expect(await turns(10, [0, 0, 0, 0])).toEqual([0, 100, 200, 300]);
  });

  it("does not drift when timers wake late: the rate is kept over time", async () => {
    const given = await turns(
      10,
      Array.from({ length: 1001 }, () => 3),
      7,
    );
    expect(given.at(-1)).toBe(100_007);
  });

  it("does not make up for time in which sending was slow", async () => {
    expect(await turns(10, [0, 1000, 0, 0])).toEqual([0, 100, 1100, 1200]);
  });

  it("never gives more turns in any second than allowed, beside the one that opens it", async () => {
    const work = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), work, async (perSecond, workMs) => {
        const given = await turns(perSecond, workMs);
        for (const from of given) {
          const within = given.filter((at) => at >= from && at < from + 1000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(perSecond);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("ends its wait at once when it is stopped", async () => {
    const stopping = new AbortController();
    const throttle = createThrottle(0.001);
    await throttle.turn(stopping.signal);
    const turn = throttle.turn(stopping.signal);
    stopping.abort();
    await expect(turn).resolves.toBeUndefined();
    await expect(throttle.turn(stopping.signal)).resolves.toBeUndefined();
  });
});
