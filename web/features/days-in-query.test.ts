import { describe, expect, it } from "vitest";

import { daysOf, periodIn, unitOf, withPeriod } from "./days-in-query.ts";

const query = (text: string) => new URLSearchParams(text);

describe("the period in an address", () => {
  it.each([
    ["", { preset: "30d" }],
    ["period=7d", { preset: "7d" }],
    ["period=constructor", { preset: "30d" }],
    ["period=custom", { days: undefined }],
    ["from=2026-01-05&to=2026-01-09", { days: { from: "2026-01-05", to: "2026-01-09" } }],
    ["from=2026-01-09&to=2026-01-05", { preset: "30d" }],
    ["from=yesterday&to=2026-01-05", { preset: "30d" }],
  ])("%s", (text, period) => {
    expect(periodIn(query(text))).toEqual(period);
  });

  it("is replaced and leaves the rest as it is", () => {
    const before = query("channel=search&period=7d");
    const days = { from: "2026-01-05", to: "2026-01-09" };
    expect(withPeriod(before, { days }).toString()).toBe(
      "channel=search&from=2026-01-05&to=2026-01-09",
    );
    expect(periodIn(withPeriod(before, { days: undefined }))).toEqual({ days: undefined });
  });

  it("ends today, which is one of its days", () => {
    expect(daysOf({ preset: "7d" }, "2026-03-02")).toEqual({
      from: "2026-02-24",
      to: "2026-03-02",
    });
  });

  it("is drawn in hours, days or weeks", () => {
    const units = ["2026-03-02", "2026-03-31", "2026-12-31"].map((to) =>
      unitOf({ from: "2026-03-01", to }),
    );
    expect(units).toEqual(["hour", "day", "week"]);
  });
});
