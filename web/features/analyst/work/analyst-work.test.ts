import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type DifferenceLine, lineDifference } from "./difference.tsx";
import { movedTo, placeAfterKey } from "./use-tile-carry.ts";

const without = (kind: DifferenceLine["kind"], lines: readonly DifferenceLine[]): string =>
  lines
    .filter((line) => line.kind !== kind)
    .map(({ text }) => text)
    .join("\n");

describe("the difference of two versions", () => {
  it("keeps what both have", () => {
    const earlier = "SELECT channel\nFROM sessions\nGROUP BY channel";
    const later = "SELECT channel, count()\nFROM sessions\nGROUP BY channel\nORDER BY channel";
    expect(lineDifference(earlier, later)).toEqual([
      { kind: "removed", text: "SELECT channel" },
      { kind: "added", text: "SELECT channel, count()" },
      { kind: "kept", text: "FROM sessions" },
      { kind: "kept", text: "GROUP BY channel" },
      { kind: "added", text: "ORDER BY channel" },
    ]);
  });

  it("holds both texts, whatever they are", () => {
    const lines = fc.array(fc.constantFrom("SELECT 1", "FROM sessions", "", "  x"), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [earlier, later] = [before.join("\n"), after.join("\n")];
        const difference = lineDifference(earlier, later);
        expect(without("added", difference)).toBe(earlier);
        expect(without("removed", difference)).toBe(later);
        expect(lineDifference(later, later).every(({ kind }) => kind === "kept")).toBe(true);
      }),
    );
  });

  it("of texts without a common line and of more lines than are compared is stated as a whole", () => {
    const text = (word: string) => Array.from({ length: 2500 }, () => word).join("\n");
    const kinds = lineDifference(text("a"), text("b")).map(({ kind }) => kind);
    expect(kinds.lastIndexOf("removed")).toBeLessThan(kinds.indexOf("added"));
  });
});

describe("the order of tiles", () => {
  const tiles = ["a", "b", "c"].map((tileId) => ({ tileId }));
  const order = (moved: readonly { tileId: string }[]) =>
    moved.map(({ tileId }) => tileId).join("");

  it("has one tile at another place", () => {
    expect(order(movedTo(tiles, "a", 2))).toBe("bca");
    expect(order(movedTo(tiles, "c", 0))).toBe("cab");
    expect(order(movedTo(tiles, "unknown", 0))).toBe("abc");
  });

  it("is walked in the direction of the page, and ends at its ends", () => {
    expect(placeAfterKey("ArrowRight", 0, 3, false)).toBe(1);
    expect(placeAfterKey("ArrowRight", 1, 3, true)).toBe(0);
    expect(placeAfterKey("ArrowLeft", 1, 3, true)).toBe(2);
    expect(placeAfterKey("ArrowDown", 2, 3, false)).toBe(2);
    expect(placeAfterKey("ArrowUp", 0, 3, false)).toBe(0);
    expect(placeAfterKey("End", 0, 3, false)).toBe(2);
    expect(placeAfterKey("x", 0, 3, false)).toBeUndefined();
  });
});
