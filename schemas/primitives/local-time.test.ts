import fc from "fast-check";
import { expect, it } from "vitest";

import { instantFromMs, instantPlus } from "./instant.ts";
import { instantOfLocal, LocalTime, localTimeIn } from "./local-time.ts";

const minuteMs = 60_000;
const in_ = (time: string, zone: string) => instantOfLocal(LocalTime.parse(time), zone);

it("a time that clocks skip is when they have skipped it, one that they repeat the first of both", () => {
  // Summer time begins on 27 March 2026 at 02:00 in Israel, and ends on 25 October at 02:00.
  expect(in_("2026-03-27T01:59", "Asia/Jerusalem")).toBe("2026-03-26T23:59:00.000Z");
  expect(in_("2026-03-27T02:30", "Asia/Jerusalem")).toBe("2026-03-27T00:00:00.000Z");
  expect(in_("2026-03-27T03:00", "Asia/Jerusalem")).toBe("2026-03-27T00:00:00.000Z");
  expect(in_("2026-10-25T01:30", "Asia/Jerusalem")).toBe("2026-10-24T22:30:00.000Z");
  expect(in_("2026-10-25T02:00", "Asia/Jerusalem")).toBe("2026-10-25T00:00:00.000Z");
});

it("half an hour that is repeated, and a day that a zone left out", () => {
  expect(in_("2026-04-05T01:45", "Australia/Lord_Howe")).toBe("2026-04-04T14:45:00.000Z");
  expect(in_("2011-12-30T10:00", "Pacific/Apia")).toBe("2011-12-30T10:00:00.000Z");
});

it("no other text is a time", () => {
  for (const text of ["2026-02-29T09:00", "2026-03-01T24:00", "2026-03-01 09:00", "9:00"])
    expect(LocalTime.safeParse(text).success).toBe(false);
});

it("in all zones a time is due at the first instant at which clocks show it, or have skipped it", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const minutes = fc.integer({
    min: Date.UTC(2020, 0, 1) / minuteMs,
    max: Date.UTC(2040, 0, 1) / minuteMs,
  });
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const time = LocalTime.parse(new Date(minute * minuteMs).toISOString().slice(0, 16));
      const due = instantOfLocal(time, zone);
      expect(localTimeIn(due, zone) >= time).toBe(true);
      expect(localTimeIn(instantPlus(due, -minuteMs), zone) < time).toBe(true);
      // No earlier instant shows it: clocks are never put back by more than a day.
      for (let hours = 1; hours <= 24; hours += 1)
        expect(localTimeIn(instantPlus(due, -hours * 60 * minuteMs), zone)).not.toBe(time);
    }),
    { numRuns: 300 },
  );
});

it("in all zones the time around a change of the clock is shown, or skipped", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  fc.assert(
    fc.property(zones, fc.integer({ min: 2020, max: 2040 }), fc.integer(), (zone, year, pick) => {
      const changes = changesIn(zone, year);
      const change = changes[Math.abs(pick) % Math.max(1, changes.length)];
      if (change === undefined) return;
      for (let offset = -120; offset <= 120; offset += 15) {
        const shown = localTimeIn(instantFromMs(change + offset * minuteMs), zone);
        const due = instantOfLocal(shown, zone);
        expect(localTimeIn(due, zone)).toBe(shown);
        expect(Date.parse(due)).toBeLessThanOrEqual(change + offset * minuteMs);
      }
    }),
    { numRuns: 100 },
  );
});

/** When clocks of a zone are put forward or back in a year, to the quarter of an hour. */
function changesIn(zone: string, year: number): readonly number[] {
  const changes: number[] = [];
  const ahead = (ms: number) =>
    Date.parse(`${localTimeIn(instantFromMs(ms), zone)}Z`) - Math.floor(ms / minuteMs) * minuteMs;
  const dayMs = 24 * 60 * minuteMs;
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += dayMs) {
    if (ahead(day) === ahead(day + dayMs)) continue;
    let before = day;
    while (ahead(before) === ahead(before + 15 * minuteMs)) before += 15 * minuteMs;
    changes.push(before + 15 * minuteMs);
  }
  return changes;
}
