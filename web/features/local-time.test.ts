import { expect, test } from "vitest";

import { localTime } from "./local-time.ts";

test.each([
  ["2026-11-22T22:00:00Z", "Asia/Jerusalem", "2026-11-23", "00:00:00"],
  ["2026-11-22T21:59:59.999Z", "Asia/Jerusalem", "2026-11-22", "23:59:59"],
  ["2026-01-01T04:59:00Z", "America/New_York", "2025-12-31", "23:59:00"],
  ["2026-06-30T18:30:00Z", "Asia/Kolkata", "2026-07-01", "00:00:00"],
])("%s is in %s the day %s at %s", (instant, zone, day, time) => {
  expect(localTime(instant, zone)).toEqual({ day, time });
  expect(localTime(Date.parse(instant), zone)).toEqual({ day, time });
});
