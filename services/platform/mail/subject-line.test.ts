import fc from "fast-check";
import { expect, test } from "vitest";

import { subjectCharsMax, subjectLine } from "./subject-line.ts";

test("a subject is one line", () => {
  expect(subjectLine("Hello\r\nBcc: noa@example.com\u2028there")).toBe(
    "Hello Bcc: noa@example.com there",
  );
});

test("a subject shows what it says", () => {
  expect(subjectLine("invoice\u202Efdp.exe \u2066x\u2069\u0007")).toBe("invoicefdp.exe x");
});

test("Hebrew, emoji and direction marks stay", () => {
  expect(subjectLine("שלום \u200F👩‍👩‍👧 100%")).toBe("שלום \u200F👩‍👩‍👧 100%");
});

test("a long subject ends in an ellipsis, never within a sign", () => {
  const family = "👩‍👩‍👧";
  const cut = subjectLine(family.repeat(60));
  expect(cut.length).toBeLessThanOrEqual(subjectCharsMax);
  expect(cut).toBe(`${family.repeat(24)}…`);
});

test("any text becomes one well-formed line of at most 200 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const line = subjectLine(text);
      expect(line.length).toBeLessThanOrEqual(subjectCharsMax);
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      expect(subjectLine(line)).toBe(line);
    }),
  );
});
