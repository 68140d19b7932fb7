import { expect, test } from "vitest";

import { zoneWords } from "./zone-words.ts";

test.each([
  ["Asia/Jerusalem", "תל אביב"],
  ["Asia/Jerusalem", "ישראל"],
  ["America/New_York", "ניו יורק"],
  ["America/Denver", "דנוור"],
  ["Europe/London", "לונדון"],
  ["Europe/Paris", "צרפת"],
])("%s is found in Hebrew by %s", (zone, typed) => {
  expect(zoneWords(zone, "he")).toContain(typed);
});

test("every zone that the browser lists has words in each language", () => {
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const language of ["en", "he"]) expect(zoneWords(zone, language)).not.toBe("");
});
