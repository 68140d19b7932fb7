import { afterEach, expect, test, vi } from "vitest";

import { backoffMs, type DeliveryOutcome, DeliveryQueue } from "./delivery-queue.ts";

function queueOf(deliver: (item: number) => Promise<DeliveryOutcome>, limit = 3) {
  const dropped: [number, string][] = [];
  const queue = new DeliveryQueue<number>({
    deliver,
    onDrop: (item, why) => dropped.push([item, why]),
    limit,
    attempts: 3,
    pauseMs: () => 1,
  });
  return { queue, dropped };
}

afterEach(() => vi.unstubAllGlobals());

test("the oldest gives way when too many wait", async () => {
  const delivered: number[] = [];
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const { queue, dropped } = queueOf(async (item) => {
    await gate;
    delivered.push(item);
    return "done";
  });
  for (const item of [0, 1, 2, 3, 4]) queue.push(item);
  open?.();
  await vi.waitFor(() => expect(delivered).toEqual([0, 2, 3, 4]));
  expect(dropped).toEqual([[1, "crowded"]]);
});

test("what fails every time is given up, and the next one goes on", async () => {
  const tried: number[] = [];
  const { queue, dropped } = queueOf(async (item) => {
    tried.push(item);
    return item === 1 ? "retry" : "done";
  });
  queue.push(1);
  queue.push(2);
  await vi.waitFor(() => expect(tried).toEqual([1, 1, 1, 2]));
  expect(dropped).toEqual([[1, "exhausted"]]);
});

test("without a network nothing is given up, and all of it goes out in order afterwards", async () => {
  const network = { onLine: false };
  vi.stubGlobal("navigator", network);
  const delivered: number[] = [];
  let tried = 0;
  const { queue, dropped } = queueOf(async (item) => {
    tried += 1;
    if (!network.onLine) return "retry";
    delivered.push(item);
    return "done";
  }, 900);
  const items = Array.from({ length: 700 }, (_, index) => index);
  for (const item of items) queue.push(item);
  await vi.waitFor(() => expect(tried).toBeGreaterThan(20));
  network.onLine = true;
  queue.wake();
  await vi.waitFor(() => expect(delivered).toEqual(items));
  expect(dropped).toEqual([]);
});

test("a pause ends at once when the device is online again", async () => {
  let tried = 0;
  const queue = new DeliveryQueue<number>({
    deliver: async () => (++tried > 1 ? "done" : "retry"),
    onDrop: () => undefined,
    limit: 1,
    attempts: 2,
    pauseMs: () => 60_000,
  });
  queue.push(1);
  await vi.waitFor(() => expect(tried).toBe(1));
  await vi.waitFor(() => {
    queue.wake();
    expect(tried).toBe(2);
  });
});

test("pauses double up to a minute, give or take an eighth", () => {
  for (const [attempt, base] of [
    [1, 1000],
    [2, 2000],
    [6, 32_000],
    [7, 60_000],
    [20, 60_000],
  ] as const) {
    expect(backoffMs(attempt)).toBeGreaterThanOrEqual(base * 0.875);
    expect(backoffMs(attempt)).toBeLessThanOrEqual(base * 1.125);
  }
});
