import { expect, test } from "vitest";

import { expectedDate, launch } from "./launch.ts";

const now = new Date("2026-11-22T12:00:00Z");

test("a day ahead is shown", () => {
  expect(expectedDate({ state: "waitlist", expected: "2026-11-23" }, now)).toBe("2026-11-23");
});

test.each(["2026-11-22", "2026-03-31"])("%s is not ahead, so no day is shown", (expected) => {
  expect(expectedDate({ state: "waitlist", expected }, now)).toBeUndefined();
});

test("without an expected day, or once it is open, no day is shown", () => {
  expect(expectedDate({ state: "waitlist" }, now)).toBeUndefined();
  expect(expectedDate({ state: "open", expected: "2027-01-01" }, now)).toBeUndefined();
});

test("an expected day that is set is a calendar day", () => {
  expect(launch.expected ?? "2027-01-01").toMatch(/^\d{4}-\d\d-\d\d$/u);
});
