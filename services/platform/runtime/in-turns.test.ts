import { describe, expect, it } from "vitest";

import { atOnce, inTurns, type Work } from "./in-turns.ts";

function* sum(numbers: readonly number[]): Work<number> {
  let total = 0;
  for (const number of numbers) {
    if (number < 0) throw new RangeError("below zero");
    total += number;
    yield;
  }
  return total;
}

describe("work in turns", () => {
  it("lets others go between the steps, and gives the same result", async () => {
    const order: string[] = [];
    const watched = function* (): Work<number> {
      for (const step of ["one", "two"]) {
        order.push(step);
        yield;
      }
      return atOnce(sum([1, 2, 3]));
    };
    setImmediate(() => order.push("another"));
    expect(await inTurns(watched())).toBe(6);
    expect(order).toEqual(["one", "another", "two"]);
  });

  it("rejects with what the work throws", async () => {
    await expect(inTurns(sum([1, -1]))).rejects.toThrow("below zero");
    expect(() => atOnce(sum([-1]))).toThrow(RangeError);
  });
});
