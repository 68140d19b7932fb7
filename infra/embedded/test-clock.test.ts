import { describe, expect, it } from "vitest";

import { targetOf } from "./test-clock.ts";

const from = Date.parse("2027-01-31T10:30:00Z");
const moved = (text: string): string | undefined => {
  const target = targetOf(text, from);
  return target === undefined ? undefined : new Date(target).toISOString();
};

describe("how far a clock is moved", () => {
  it("is stated in hours, days or months of the calendar", () => {
    expect(moved("+36h")).toBe("2027-02-01T22:30:00.000Z");
    expect(moved("+15d")).toBe("2027-02-15T10:30:00.000Z");
    expect(moved("+1mo")).toBe("2027-02-28T10:30:00.000Z");
    expect(moved("+14mo")).toBe("2028-03-31T10:30:00.000Z");
  });

  it.each(["-1d", "+0d", "15d", "+1y", "", "+1.5d"])("is never back or unclear: '%s'", (text) =>
    expect(moved(text)).toBeUndefined(),
  );
});
