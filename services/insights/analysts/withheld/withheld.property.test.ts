import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inTens, statedGroups } from "../questions/withholding.ts";
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

/** A ready-made question beside them, which also says how large those are together that it does not name. */
function question(rows: readonly (readonly [string, number])[]) {
  const groups = rows.flatMap(([name, visitors]) =>
    visitors === 0 ? [] : [{ name, visitors, amount: visitors }],
  );
  const visitors = sum(rows.map(([, own]) => own));
  return statedGroups(groups, { visitors, amount: visitors }, inTens);
}

/** What queries and questions say of the table: each cell, the sums of both properties, and the total. */
function dashboardOf(cells: Table) {
  const byRow = cells.map((row, r) => [`${r}`, sum(row)] as const);
  const byCell = cells.flatMap((row, r) => row.map((n, c) => [`${r}/${c}`, n] as const));
  return { tiles: tilesOf(cells), questions: [question(byRow), question(byCell)] };
}

/** All that queries say of it. */
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

type Change = readonly [at: number, by: number];

/** Changes of up to two other cells by the same number: one of the sums, or two, stay the same. */
function* fewChanges(others: readonly number[], by: number): Generator<readonly Change[]> {
  yield [];
  for (const one of others) {
    yield [[one, -by]];
    for (const other of others) {
      yield [
        [one, -by],
        [other, by],
      ];
      yield [
        [one, -by],
        [other, -by],
      ];
    }
  }
}

/** Changes of three cells that make a rectangle with one, so that all sums stay the same; and of one cell more. */
function* rectangles(
  others: readonly number[],
  { of, by, width }: { of: number; by: number; width: number },
): Generator<readonly Change[]> {
  const column = of % width;
  for (const at of others) {
    if (at % width === column || at - (at % width) === of - column) continue;
    const corners: Change[] = [
      [at, by],
      [at - (at % width) + column, -by],
      [of - column + (at % width), -by],
    ];
    yield corners;
    for (const more of others) for (const one of [1, -1, 2, -2]) yield [...corners, [more, one]];
  }
}

/** Changes of three other cells by the same number, so that the total stays the same. */
function* threeChanges(others: readonly number[], by: number): Generator<readonly Change[]> {
  for (const one of others) {
    for (const other of others) {
      if (other <= one) continue;
      for (const third of others) {
        yield [
          [one, -by],
          [other, -by],
          [third, by],
        ];
      }
    }
  }
}

/** Tables in which one cell has another size, and up to four others as well, so that what is said may stay the same. */
function* worldsWith(cells: Table, of: number): Generator<Table> {
  const width = cells[0]?.length ?? 1;
  const flat = cells.flat();
  const others = [...flat.keys()].filter((at) => at !== of);
  const searches = [
    (by: number) => fewChanges(others, by),
    (by: number) => rectangles(others, { of, by, width }),
    (by: number) => threeChanges(others, by),
  ];
  for (const search of searches) {
    for (const by of [1, -1, 2, -2, 3, -3]) {
      for (const changes of search(by)) {
        const world = [...flat];
        for (const [at, change] of [[of, by] as const, ...changes])
          world[at] = (world[at] ?? 0) + change;
        if (world.some((n) => n < 0) || (world[of] ?? 0) === 0) continue;
        yield cells.map((_, row) => world.slice(row * width, (row + 1) * width));
      }
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
        const said = JSON.stringify(dashboardOf(cells));
        const named = new Set(tilesOf(cells)[0]?.rows.map(([name]) => name));
        return cells.every((row, r) =>
          row.every((visitors, c) => {
            const isWithheld = visitors > 0 && visitors < 5 && !named.has(`${r}/${c}`);
            if (!isWithheld) return true;
            for (const world of worldsWith(cells, r * row.length + c)) {
              if (JSON.stringify(dashboardOf(world)) === said) return true;
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
