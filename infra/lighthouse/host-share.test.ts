import { expect, test } from "vitest";

import { parseProcessorTime, percentTaken } from "./host-share.ts";

const cpu = (user: number, idle: number, steal: number): string =>
  `cpu  ${user} 0 0 ${idle} 0 0 0 ${steal} 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n`;

test("what the host took is its share of all processors' time between two readings", () => {
  const before = parseProcessorTime(cpu(1_000, 5_000, 40));
  const after = parseProcessorTime(cpu(1_100, 5_080, 60));
  expect(before).toEqual({ all: 6_040, taken: 40 });
  expect(percentTaken(before, after)).toBe(10);
});

test.each(["", "cpu 1 2 3 4", "cpu a b c d e f g h", "MemTotal: 1 2 3 4 5 6 7 8"])(
  "a system that says %j does not tell what its host takes, so nothing was taken",
  (stat) => {
    expect(parseProcessorTime(stat)).toBeUndefined();
    expect(percentTaken(undefined, parseProcessorTime(cpu(1, 1, 1)))).toBe(0);
  },
);
