import { Day } from "@pro-talent/schemas/primitives/calendar";
import { expect, it } from "vitest";

import { lastDays, rangeOf } from "./range.ts";

const days = (from: string, to: string, zone = "Asia/Jerusalem") => ({
  from: Day.parse(from),
  to: Day.parse(to),
  zone,
});

it("days are those of the zone, the last one included", () => {
  const range = rangeOf(days("2026-03-01", "2026-03-02"), "day");
  expect(range).toEqual({
    from: "2026-02-28T22:00:00.000Z",
    until: "2026-03-02T22:00:00.000Z",
    before: { from: "2026-02-26T22:00:00.000Z", until: "2026-02-28T22:00:00.000Z" },
    edges: ["2026-02-28T22:00:00.000Z", "2026-03-01T22:00:00.000Z"],
    upTo: false,
  });
});

it("the day on which clocks go forward has 23 hours, the one on which they go back 25", () => {
  const spring = rangeOf(days("2026-03-27", "2026-03-27"), "hour");
  expect(spring?.edges).toHaveLength(23);
  const autumn = rangeOf(days("2026-10-25", "2026-10-25"), "hour");
  expect(autumn?.edges).toHaveLength(25);
  expect(autumn?.edges[0]).toBe("2026-10-24T21:00:00.000Z");
});

it("a zone that is half an hour off has hours of its own", () => {
  const range = rangeOf(days("2026-03-01", "2026-03-01", "Asia/Kolkata"), "hour");
  expect(range?.edges.slice(0, 2)).toEqual([
    "2026-02-28T18:30:00.000Z",
    "2026-02-28T19:30:00.000Z",
  ]);
});

it("weeks begin on the Monday on or before the first day", () => {
  const range = rangeOf(days("2026-03-04", "2026-03-10"), "week");
  expect(range?.edges).toEqual(["2026-03-01T22:00:00.000Z", "2026-03-08T22:00:00.000Z"]);
});

it("beyond two days a visitor may have been counted twice", () => {
  expect(rangeOf(days("2026-03-01", "2026-03-02"), "day")?.upTo).toBe(false);
  expect(rangeOf(days("2026-03-01", "2026-03-03"), "day")?.upTo).toBe(true);
});

it("too long a range, or too many hours, is refused", () => {
  expect(rangeOf(days("2024-01-01", "2026-01-29"), "day")).toBeDefined();
  expect(rangeOf(days("2024-01-01", "2026-01-30"), "day")).toBeUndefined();
  expect(rangeOf(days("2026-03-01", "2026-03-14"), "hour")).toBeDefined();
  expect(rangeOf(days("2026-03-01", "2026-03-15"), "hour")).toBeUndefined();
});

it("the last days of a range never begin before it", () => {
  expect(lastDays(days("2026-03-01", "2026-03-31"), 14)).toHaveLength(14);
  expect(lastDays(days("2026-03-30", "2026-03-31"), 14)).toHaveLength(2);
});
