import { describe, expect, it } from "vitest";

import { changedTexts, keptTokens, missedValues } from "./measured.ts";

/** The command `npm run measure:scrub` prints all of it, at any size. */
describe("a sample of the generated texts", () => {
  it("has 98 % of the values of each form found, and 99.8 % of all", () => {
    const missed = missedValues(20_261_122, 100);
    expect(missed.filter(({ of, failed }) => failed > 0.02 * of)).toEqual([]);
    const [of, failed] = [sum(missed, "of"), sum(missed, "failed")];
    expect(failed).toBeLessThan(0.002 * of);
  });

  it("has at most two plain texts in a thousand changed", () => {
    const changed = changedTexts(20_261_122, 200);
    expect(sum(changed, "failed")).toBeLessThanOrEqual(0.002 * sum(changed, "of"));
  });

  it.each([
    [/^hexadecimal/, 0.005],
    [/^base 62, (?:1[0-9]|2\d)/, 0.05],
    [/^base 64 for addresses, (?:12|16|21|32)/, 0.08],
    [/^base 36, (?:12|16|25)/, 0.08],
    [/ULID/, 0.05],
  ])("has ids of the alphabets and lengths %s out of paths", (name, share) => {
    const kept = keptTokens(20_261_122, 300).filter((one) => name.test(one.name));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter(({ of, failed }) => failed > share * of)).toEqual([]);
  });
});

function sum(shares: readonly { of: number; failed: number }[], key: "of" | "failed"): number {
  return shares.reduce((total, share) => total + share[key], 0);
}
