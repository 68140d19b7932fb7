import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  accountRule,
  type AttemptCount,
  decideAttempt,
  mailRule,
  networkRule,
} from "./attempts.decider.ts";

/** Tries at these moments; each answer is the delay in seconds, 0 for what was admitted. */
function attemptsAt(moments: readonly number[], rule = accountRule): number[] {
  let count: AttemptCount | undefined;
  return moments.map((ms) => {
    const decision = decideAttempt(rule, count, ms);
    if ("waitMs" in decision) return decision.waitMs / 1000;
    count = decision.admitted;
    return 0;
  });
}

const second = 1000;
const day = 24 * 60 * 60 * second;

describe("attempts at one account", () => {
  it("are free five times, then wait: 15 seconds, 30, 60", () => {
    const moments = [0, 0, 0, 0, 0, 0, 15, 16, 45, 45, 105].map((at) => at * second);
    expect(attemptsAt(moments)).toEqual([0, 0, 0, 0, 0, 15, 0, 29, 0, 60, 0]);
  });

  it("are counted anew after a day without one", () => {
    const moments = [0, 0, 0, 0, 0, day, day, day, day, day, day];
    expect(attemptsAt(moments)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15]);
  });

  it("5: never wait longer than 15 minutes, whatever was tried before", () => {
    const gaps = fc.array(fc.nat(20 * 60 * second), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, (waits) => {
        let now = 0;
        const moments = waits.map((wait) => (now += wait));
        expect(Math.max(0, ...attemptsAt(moments))).toBeLessThanOrEqual(15 * 60);
      }),
    );
  });

  it("are at most 110 a day by a program that never stops", () => {
    let count: AttemptCount | undefined;
    let admitted = 0;
    for (let now = 0; now < day; now += second) {
      const decision = decideAttempt(accountRule, count, now);
      if (!("admitted" in decision)) continue;
      count = decision.admitted;
      admitted += 1;
    }
    expect(admitted).toBeLessThan(110);
  });
});

it("a network has fifty attempts before it waits", () => {
  expect(
    attemptsAt(
      Array.from({ length: 51 }, () => 0),
      networkRule,
    ).indexOf(15),
  ).toBe(50);
});

describe("mails that anyone can request for an address", () => {
  it("are five, then one after an hour, two, four and six", () => {
    const hours = [0, 0, 0, 0, 0, 0, 1, 2, 3, 7, 13, 19].map((at) => at * 60 * 60 * second);
    const waits = attemptsAt(hours, mailRule).map((seconds) => seconds / 60 / 60);
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0]);
  });

  it("are at most ten in the first day of someone who never stops", () => {
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => minute * 60 * second);
    expect(attemptsAt(minutes, mailRule).filter((wait) => wait === 0)).toHaveLength(10);
  });
});
