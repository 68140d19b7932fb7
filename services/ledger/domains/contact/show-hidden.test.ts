import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { showHidden, showHiddenInLines } from "./show-hidden.ts";

describe("text from outside", () => {
  it.each([
    ["a terminal command", "\u001B[2Jgone", "⟦U+001B⟧[2Jgone"],
    ["a line end", "a\r\nSubject: b", "a⟦U+000D⟧⟦U+000A⟧Subject: b"],
    ["a line end of another kind", "a\u2028b", "a⟦U+2028⟧b"],
    ["a change of direction", "cv\u202Efdp.exe", "cv⟦U+202E⟧fdp.exe"],
    ["an isolate", "\u2066a\u2069", "⟦U+2066⟧a⟦U+2069⟧"],
  ])("with %s is shown with it made visible", (_what, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });

  it("in Hebrew, with marks of direction and emoji, stays as it is", () => {
    const text = "שלום\u200F, Pro Talent\u200E! 👩‍💻";
    expect(showHidden(text)).toBe(text);
  });

  it("keeps its own lines where several lines are shown", () => {
    expect(showHiddenInLines("one\r\n\ttwo\nthree\u0007\r")).toBe(
      "one\n\ttwo\nthree⟦U+0007⟧⟦U+000D⟧",
    );
  });

  it("never keeps a character that hides", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(showHidden(text)).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        expect(showHiddenInLines(text)).not.toMatch(/(?![\n\t])[\p{Cc}\u202A-\u202E]/u);
      }),
    );
  });
});
