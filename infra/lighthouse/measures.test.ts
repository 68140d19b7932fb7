import { expect, test } from "vitest";

import { type Measures, medianOf, missedGoals, tableHead, tableLine } from "./measures.ts";

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

test("a measure without a value misses its goal", () => {
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

test("a line of the table has each value below its name", () => {
  expect(tableHead()).toMatch(/^page .* a11y +practice .* TBT ms$/);
  expect(tableLine("en  /terms", good)).toMatch(/^en  \/terms .* 98 {5}1\.50 {4}0\.000 {7}50$/);
  expect(tableLine("en  /terms", good)).toHaveLength(tableHead().length);
});
