import fc from "fast-check";
import { expect, test } from "vitest";

import {
  escapeHtml,
  linkTarget,
  subjectCharsMax,
  subjectLine,
  visibleText,
} from "./text-safety.ts";

const decode = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

test("text stays what it is, and is never markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:lt|gt|quot|#39|amp);)/);
      expect(decode(escapeHtml(text))).toBe(visibleText(text));
    }),
  );
});

test("a link cannot end the attribute that holds it", () => {
  expect(linkTarget('https://example.com/"><b>#"><b>')).toBe(
    "https://example.com/%22%3E%3Cb%3E#%22%3E%3Cb%3E",
  );
});

test("a subject line is one line", () => {
  expect(subjectLine("Hello\r\nBcc: noa@example.com\u2028there")).toBe(
    "Hello Bcc: noa@example.com there",
  );
});

test("a subject line has no invisible characters that reorder or control it", () => {
  expect(subjectLine("invoice\u202Efdp.exe \u2066x\u2069\u0007")).toBe("invoicefdp.exe x");
});

test("Hebrew, emoji and direction marks stay", () => {
  expect(subjectLine("שלום \u200F👩‍👩‍👧 100%")).toBe("שלום \u200F👩‍👩‍👧 100%");
});

test("a long subject line ends in an ellipsis, never within a grapheme", () => {
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
