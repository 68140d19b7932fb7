import { expect, it } from "vitest";

import { instantFromMs, instantPlusMonths } from "./instant.ts";

it.each([
  ["2026-11-22T16:05:04.321Z", 24, "2028-11-22T16:05:04.321Z"],
  ["2026-11-22T16:05:04.321Z", 36, "2029-11-22T16:05:04.321Z"],
  ["2028-02-29T00:00:00.000Z", 24, "2030-02-28T00:00:00.000Z"],
  ["2026-12-31T23:59:59.999Z", 2, "2027-02-28T23:59:59.999Z"],
])("from %s, %i months later it is %s", (from, months, to) => {
  expect(instantPlusMonths(instantFromMs(Date.parse(from)), months)).toBe(to);
});
