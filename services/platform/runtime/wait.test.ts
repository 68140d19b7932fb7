import { describe, expect, it } from "vitest";

import { fulfilledInTime, pause } from "./wait.ts";

const never = new Promise(() => undefined);

describe("a pause", () => {
  it("ends with its time", async () => {
    const from = performance.now();
    await pause(30, new AbortController().signal);
    expect(performance.now() - from).toBeGreaterThan(25);
  });

  it("ends with its signal, also when that came before", async () => {
    const from = performance.now();
    const ended = new AbortController();
    const pausing = pause(60_000, ended.signal);
    ended.abort();
    await pausing;
    await pause(60_000, ended.signal);
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});

describe("a question", () => {
  it("is answered in time, or it is not", async () => {
    expect(await fulfilledInTime(Promise.resolve(false))).toBe(true);
    expect(await fulfilledInTime(Promise.reject(new RangeError("away")))).toBe(false);
    expect(await fulfilledInTime(never, 20)).toBe(false);
  });
});
