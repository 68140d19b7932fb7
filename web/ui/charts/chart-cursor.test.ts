import { expect, test } from "vitest";

import { cursorAfter, nearest } from "./chart-cursor.ts";

test("time goes from left to right, and stops at its ends", () => {
  expect(cursorAfter("ArrowRight", 0, 3, "time")).toBe(1);
  expect(cursorAfter("ArrowLeft", 1, 3, "time")).toBe(0);
  expect(cursorAfter("ArrowRight", 2, 3, "time")).toBe(2);
  expect(cursorAfter("ArrowLeft", 0, 3, "time")).toBe(0);
});

test("a list goes from top to bottom and has no sides", () => {
  expect(cursorAfter("ArrowDown", 0, 3, "list")).toBe(1);
  expect(cursorAfter("ArrowUp", 1, 3, "list")).toBe(0);
  expect(cursorAfter("ArrowRight", 1, 3, "list")).toBeUndefined();
});

test("Home and End lead to the ends, Escape leaves", () => {
  expect(cursorAfter("Home", 2, 3, "time")).toBe(0);
  expect(cursorAfter("End", 0, 3, "list")).toBe(2);
  expect(cursorAfter("Escape", 2, 3, "time")).toBe("none");
  expect(cursorAfter("Escape", undefined, 3, "time")).toBeUndefined();
});

test("the first key enters the chart", () => {
  expect(cursorAfter("ArrowRight", undefined, 3, "time")).toBe(0);
  expect(cursorAfter("End", undefined, 3, "time")).toBe(2);
  expect(cursorAfter("End", undefined, 0, "time")).toBeUndefined();
  expect(cursorAfter("Tab", 1, 3, "time")).toBeUndefined();
});

test("the pointer finds the nearest point", () => {
  expect(nearest([0, 10, 20], 14)).toBe(1);
  expect(nearest([0, 10, 20], 99)).toBe(2);
  expect(nearest([], 5)).toBeUndefined();
});
