import { expect, test } from "vitest";

import { formatDate } from "./format.ts";

/** Words of a text, in any order: which comes first is the browser's business. */
const words = (text: string): string[] => text.split(/[\s,]+/u).toSorted();

test.each([
  ["date", ["17", "2025", "October"]],
  ["day", ["17", "October"]],
  ["shortDay", ["17", "Oct"]],
] as const)("a %s in English has its parts", (style, parts) => {
  expect(words(formatDate("en", "2025-10-17", style))).toEqual(parts);
});

test("a date in Hebrew names the month in Hebrew", () => {
  expect(words(formatDate("he", "2025-10-17"))).toEqual(["17", "2025", "באוקטובר"]);
});

test("a date is the same day wherever the browser is", () => {
  expect(words(formatDate("en", "2025-01-01", "day"))).toEqual(["1", "January"]);
});
