import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { foldChanges, type PlacedChange, type Row, type RowChange } from "./projection.ts";

const tables = { shelf: ["id"], box: ["room", "place"] };

/** What a database does with changes one by one. */
function applyOneByOne(placed: readonly PlacedChange[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { position, change } of placed) {
    const row = "put" in change ? change.put : change.gone;
    const key = JSON.stringify([
      change.table,
      row["id"] ?? null,
      row["room"] ?? null,
      row["place"] ?? null,
    ]);
    if ("put" in change) rows.set(key, { ...change.put, pos: position });
    else rows.delete(key);
  }
  return rows;
}

const shelf = fc.record({ id: fc.integer({ min: 0, max: 3 }), label: fc.string() });
const box = fc.record({
  room: fc.constantFrom("a", "b"),
  place: fc.integer({ min: 0, max: 1 }),
  full: fc.boolean(),
});
const change: fc.Arbitrary<RowChange> = fc.oneof(
  shelf.map((put) => ({ table: "shelf", put })),
  shelf.map(({ id }) => ({ table: "shelf", gone: { id } })),
  box.map((put) => ({ table: "box", put })),
  box.map(({ room, place }) => ({ table: "box", gone: { room, place } })),
);

describe("changes of a read model, folded into one statement per table", () => {
  it("leave the same rows as one by one", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const placed = changes.map((entry, index) => ({ position: index + 1, change: entry }));
        const folded = foldChanges(placed, tables);
        const afterwards = folded.flatMap(({ table, put }) =>
          (put ?? []).map(({ pos, ...row }) => ({
            position: Number(pos),
            change: { table, put: row },
          })),
        );
        expect(applyOneByOne(afterwards)).toEqual(applyOneByOne(placed));
      }),
    );
  });

  it("touch every key of a table at most once", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const placed = changes.map((entry, position) => ({ position, change: entry }));
        for (const { table, put, gone } of foldChanges(placed, tables)) {
          const columns = table === "shelf" ? tables.shelf : tables.box;
          const keys = [...(put ?? []), ...(gone ?? [])].map((row) =>
            JSON.stringify(columns.map((column) => row[column])),
          );
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });

  it("are refused for a table that is not the projection's, or without a whole key", () => {
    const at = (entry: RowChange) => [{ position: 1, change: entry }];
    expect(() => foldChanges(at({ table: "attic", put: { id: 1 } }), tables)).toThrow("attic");
    expect(() => foldChanges(at({ table: "box", put: { room: "a" } }), tables)).toThrow("place");
  });
});
