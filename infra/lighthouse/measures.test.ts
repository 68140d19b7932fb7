import { expect, test } from "vitest";

import { hostColumns, type Measures, medianOf, missedGoals } from "./measures.ts";

const good: Measures = {
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  performance: 98,
  lcpSeconds: 1.5,
  cls: 0,
  tbtMs: 50,
};

test("a page that reaches every goal exactly misses none", () => {
  expect(missedGoals(good)).toEqual([]);
});

test.each<[Partial<Measures>, string]>([
  [{ accessibility: 99 }, "a11y 99, not 100"],
  [{ performance: 97 }, "perf 97, not 98"],
  [{ lcpSeconds: 1.51 }, "LCP s 1.51, not 1.5"],
  [{ cls: 0.001 }, "CLS 0.001, not 0"],
  [{ tbtMs: 51 }, "TBT ms 51, not 50"],
])("a page with %o misses that goal", (worse, missed) => {
  expect(missedGoals({ ...good, ...worse })).toEqual([missed]);
});

test("what could not be measured is missed", () => {
  expect(missedGoals({ ...good, tbtMs: Number.NaN })).toHaveLength(1);
});

test("each measure is the median of its own values", () => {
  const runs = [
    { ...good, tbtMs: 90, performance: 99 },
    { ...good, tbtMs: 10, performance: 97 },
    { ...good, tbtMs: 20, performance: 98 },
  ];
  expect(medianOf(runs)).toEqual({ ...good, tbtMs: 20, performance: 98 });
});

test("what the host took stands in the table, and every load that was repeated for it", () => {
  expect(hostColumns([0, 1.26, 0.5], []).trim()).toBe("1.3 %");
  expect(hostColumns([2], [11.4, 5]).trim()).toBe("2.0 %  2 (11, 5 %)");
});
