import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { describe, expect, it } from "vitest";

import { createRateLimit } from "./rate-limit.ts";

function limitOf(perMinute: number) {
  const state = { now: 60_000 * 1_000 };
  const limit = createRateLimit(perMinute, () => state.now);
  const taken = (address: string): boolean => {
    try {
      limit.take(address);
      return true;
    } catch (error) {
      if (error instanceof ProblemError && error.code === "rate_limited") return false;
      throw error;
    }
  };
  return { state, taken, limit };
}

describe("the limit per address", () => {
  it("lets an address call so often per minute, and again in the next", () => {
    const { state, taken } = limitOf(3);
    expect([1, 2, 3, 4].map(() => taken("203.0.113.9"))).toEqual([true, true, true, false]);
    expect(taken("203.0.113.10")).toBe(true);
    state.now += 60_000;
    expect(taken("203.0.113.9")).toBe(true);
  });

  it("says after how many seconds to try again", () => {
    const { state, limit } = limitOf(1);
    limit.take("203.0.113.9");
    state.now += 45_000;
    expect(() => limit.take("203.0.113.9")).toThrow(
      expect.objectContaining({ retryAfterSeconds: 15 }),
    );
  });

  it("counts an IPv6 network as one", () => {
    const { taken } = limitOf(1);
    expect(taken("2001:db8:1:2:3:4:5:6")).toBe(true);
    expect(taken("2001:db8:1:2::9")).toBe(false);
    expect(taken("2001:db8:1:3::9")).toBe(true);
    expect(taken("2001:db8::1")).toBe(true);
    expect(taken("2001:db8:0:0:1::")).toBe(false);
  });

  it("is off at 0", () => {
    const { taken } = limitOf(0);
    expect(Array.from({ length: 2_000 }, () => taken("203.0.113.9")).every(Boolean)).toBe(true);
  });
});
