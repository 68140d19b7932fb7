import fc from "fast-check";
import { expect, test } from "vitest";

import { cutText } from "./cut-text.ts";

test("a text is never longer than allowed, and is the beginning of what it was", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, max) => {
      const cut = cutText(text, max);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed() || !text.isWellFormed()).toBe(true);
      expect(cut === text || text.length > max).toBe(true);
    }),
  );
});

test.each([
  ["a pair of surrogates", "🎉".repeat(10), 5, "🎉🎉"],
  ["an accent and its base", "abce\u0301\u0301d", 5, "abc"],
  ["an emoji of several parts", "ab👩‍💻c", 4, "ab"],
  ["Hebrew points and their base", "שָׁלוֹם", 2, ""],
])("%s stay together", (_what, text, max, expected) => {
  const whole = cutText(`${"-".repeat(80)}${text}`, 80 + max);
  expect(whole).toBe(`${"-".repeat(80)}${expected}`);
});

test("half a word is left out, so that half an address is never stored", () => {
  expect(cutText("write to jane@example.org", 18)).toBe("write to ");
  expect(cutText("write to jane@example.org", 9)).toBe("write to ");
  expect(cutText("x".repeat(300), 256)).toBe("x".repeat(256));
});

test("one character with more accents than are kept is cut in them", () => {
  expect(cutText(`a${"\u0301".repeat(300)}`, 256)).toHaveLength(256);
});
