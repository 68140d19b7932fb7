import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect, it } from "vitest";

import { lastDue, nextDigest } from "./digest-times.ts";

const at = (text: string) => instantFromMs(Date.parse(text));
const israel = { zone: "Asia/Jerusalem", locale: "he" } as const;
const newYork = { zone: "America/New_York", locale: "en" } as const;

it("a daily digest is due at the next eight in the morning of the owner", () => {
  expect(nextDigest("daily", israel, at("2026-01-05T05:59:00Z"))).toBe(at("2026-01-05T06:00:00Z"));
  expect(nextDigest("daily", israel, at("2026-01-05T06:00:00Z"))).toBe(at("2026-01-06T06:00:00Z"));
});

it("a weekly digest is due on Sunday in Hebrew and on Monday in English", () => {
  const tuesday = at("2026-01-06T12:00:00Z");
  expect(nextDigest("weekly", israel, tuesday)).toBe(at("2026-01-11T06:00:00Z"));
  expect(nextDigest("weekly", newYork, tuesday)).toBe(at("2026-01-12T13:00:00Z"));
});

it("a digest is due at eight also on the day on which the clock changes", () => {
  // Summer time begins on 27 March 2026 at 02:00 in Israel and ends on 25 October.
  expect(nextDigest("daily", israel, at("2026-03-26T12:00:00Z"))).toBe(at("2026-03-27T05:00:00Z"));
  expect(nextDigest("daily", israel, at("2026-10-24T12:00:00Z"))).toBe(at("2026-10-25T06:00:00Z"));
});

it("after days without the service the latest digest is due, and no earlier one", () => {
  const now = at("2026-01-09T05:59:00Z");
  expect(lastDue("daily", israel, now)).toBe(at("2026-01-08T06:00:00Z"));
  expect(lastDue("weekly", israel, now)).toBe(at("2026-01-04T06:00:00Z"));
});
