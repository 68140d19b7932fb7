import { expect, test } from "vitest";

import { dark, light } from "./colours.ts";

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test.each([
  ["light", light],
  ["dark", dark],
] as const)("every text of a mail is readable on paper that is %s", (_name, theme) => {
  for (const text of [theme.ink, theme.muted]) {
    for (const ground of [theme.canvas, theme.sunk]) {
      expect(contrast(text, ground)).toBeGreaterThan(7);
    }
  }
});
