import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { withholdRows } from "./rows.ts";

/** Visitors of a table by two properties, as in country and device; each visitor is in one cell. */
type Table = readonly (readonly number[])[];

const cell = fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 60 }));
const table = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const nonEmpty = (rows: readonly (readonly [string, number])[]) =>
  rows.filter(([, visitors]) => visitors > 0).map(([name, visitors]) => [name, visitors, visitors]);
const answer = (rows: (string | number)[][]) => withholdRows(["key", "visitors", "count"], rows);

/** All that a dashboard or a mail says of the table: each cell, the sums of both properties, and the total. */
function tilesOf(cells: Table) {
  const columns = cells[0]?.map((_, at) => cells.map((row) => row[at] ?? 0)) ?? [];
  const visitors = sum(cells.map(sum));
  return [
    answer(nonEmpty(cells.flatMap((row, r) => row.map((n, c) => [`${r}/${c}`, n] as const)))),
    answer(nonEmpty(cells.map((row, r) => [`${r}`, sum(row)] as const))),
    answer(nonEmpty(columns.map((column, c) => [`${c}`, sum(column)] as const))),
    withholdRows(["visitors", "count"], [[visitors, visitors]]),
  ];
}

/**
 * Tables in which one cell has another size, and up to two others as well, so that sums may stay the same; or four, so that
 * the sums of rows and columns do stay the same.
 */
function* worldsWith(cells: Table, of: number): Generator<Table> {
  const width = cells[0]?.length ?? 1;
  const flat = cells.flat();
  const others = [...flat.keys()].filter((at) => at !== of);
  const pairs = others.flatMap((one) => others.map((other) => [one, other] as const));
  /** The cells of another row and another column: with the two beside them, they make a rectangle. */
  const opposite = others.filter(
    (at) => at % width !== of % width && Math.floor(at / width) !== Math.floor(of / width),
  );
  for (const change of [1, -1, 2, -2, 3, -3]) {
    const worlds = [
      [],
      ...others.map((at) => [[at, -change] as const]),
      ...pairs.map(([one, other]) => [[one, -change] as const, [other, change] as const]),
      ...pairs.map(([one, other]) => [[one, -change] as const, [other, -change] as const]),
      ...opposite.map((at) => [
        [at, change] as const,
        [at - (at % width) + (of % width), -change] as const,
        [of - (of % width) + (at % width), -change] as const,
      ]),
    ];
    for (const changes of worlds) {
      const world = [...flat];
      for (const [at, by] of [[of, change] as const, ...changes]) world[at] = (world[at] ?? 0) + by;
      if (world.some((n) => n < 0) || (world[of] ?? 0) === 0) continue;
      yield cells.map((_, row) => world.slice(row * width, (row + 1) * width));
    }
  }
}

describe("the tiles of a dashboard, and a mail,", () => {
  it("name no group under ten", () => {
    fc.assert(
      fc.property(table, (cells) =>
        tilesOf(cells).every(({ rows }) =>
          rows.every((row) => row.slice(-2).every((n) => Number(n) >= 10 || Number(n) === 0)),
        ),
      ),
      { numRuns: 2000 },
    );
  });

  it("let no withheld group be computed from all of them together: with another size of it they are the same", () => {
    fc.assert(
      fc.property(table, (cells) => {
        const said = JSON.stringify(tilesOf(cells));
        const named = new Set(tilesOf(cells)[0]?.rows.map(([name]) => name));
        return cells.every((row, r) =>
          row.every((visitors, c) => {
            const isWithheld = visitors > 0 && visitors < 5 && !named.has(`${r}/${c}`);
            if (!isWithheld) return true;
            for (const world of worldsWith(cells, r * row.length + c)) {
              if (JSON.stringify(tilesOf(world)) === said) return true;
            }
            return false;
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("say so when groups are missing, and only then", () => {
    const large = [
      ["a", 12, 14],
      ["b", 29, 30],
    ];
    const rounded = [
      ["a", 10, 10],
      ["b", 20, 30],
    ];
    expect(answer(large)).toEqual({ rows: rounded, isWithheld: false });
    // With a small group that is alone, the last one by its name is left out.
    const withSmall = answer([...large, ["c", 4, 9]]);
    expect(withSmall).toEqual({ rows: rounded.slice(0, 1), isWithheld: true });
    expect(answer([])).toEqual({ rows: [], isWithheld: false });
  });
});
