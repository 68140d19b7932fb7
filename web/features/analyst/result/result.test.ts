import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { pointsOf, suggestedChart } from "./chart-of.ts";
import { ResultReader } from "./read-result.ts";
import {
  cellAfter,
  contentPx,
  drawnColumns,
  drawnRows,
  rangeBetween,
  scrollTopFor,
} from "./result-layout.ts";
import { ResultRows } from "./result-rows.ts";

const all = { fromRow: 0, toRow: 9, fromColumn: 0, toColumn: 9 };
const bytes = (text: string) => new TextEncoder().encode(text);

describe("the rows of a result", () => {
  test("are sorted by size or by characters, null at the end, equal ones as the query had them", () => {
    const rows = new ResultRows();
    rows.begin([
      { name: "visitors", type: "Nullable(UInt64)" },
      { name: "page", type: "LowCardinality(String)" },
    ]);
    for (const row of [
      ["9", "/b"],
      [null, "/a"],
      ["10", "/b"],
      ["9", "/c"],
    ])
      rows.append(row);
    rows.sort({ column: 0, descending: false });
    expect(rows.read(all)).toEqual([
      ["9", "/b"],
      ["9", "/c"],
      ["10", "/b"],
      [null, "/a"],
    ]);
    rows.sort({ column: 0, descending: true });
    expect(rows.read(all).map(([first]) => first)).toEqual(["10", "9", "9", null]);
    rows.sort({ column: 1, descending: false });
    expect(rows.read(all).map(([, page]) => page)).toEqual(["/a", "/b", "/b", "/c"]);
    rows.sort(undefined);
    expect(rows.text({ ...all, toRow: 2 }, true)).toBe("visitors\tpage\n9\t/b\n\t/a");
  });

  test("are those that were sent, however their bytes are cut, with what was read for them", () => {
    const cell = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), fc.nat(200), (list, cut) => {
        const meta = ["a", "b"].map((name) => ({ name, type: "String" }));
        const progress = { read_rows: "12", read_bytes: 340 };
        const lines = [{ meta }, ...list.map((row) => ({ row })), { progress }];
        const sent = bytes(lines.map((line) => JSON.stringify(line)).join("\n"));
        const reader = new ResultReader();
        reader.append(sent.subarray(0, cut));
        reader.append(sent.subarray(cut));
        reader.end();
        expect(reader.statistics).toEqual({ rowsRead: 12, bytesRead: 340, rowsToRead: 0 });
        expect(reader.rows.shape).toMatchObject({ columns: meta, count: list.length });
        expect(reader.rows.read({ ...all, toRow: list.length })).toEqual(list);
      }),
    );
  });
});

describe("the table", () => {
  const size = fc.record({
    rowPx: fc.integer({ min: 16, max: 64 }),
    count: fc.integer({ min: 1, max: 1_000_000 }),
    viewPx: fc.integer({ min: 100, max: 900 }),
  });

  test("shows any row wholly once it is scrolled to, within the height that browsers allow", () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(15_000_000), (given, wanted, before) => {
        const row = wanted % given.count;
        expect(contentPx(given)).toBeLessThanOrEqual(15_000_000);
        const top = scrollTopFor(given, Math.min(before, contentPx(given)), row);
        const { from, to, startPx } = drawnRows(given, top);
        expect(row).toBeGreaterThanOrEqual(from);
        expect(row).toBeLessThan(to);
        const rowTop = startPx + (row - from) * given.rowPx - top;
        expect(rowTop).toBeGreaterThan(-1);
        expect(rowTop + given.rowPx).toBeLessThan(given.viewPx + 1);
      }),
    );
  });

  test("draws the columns in sight, and at least one", () => {
    expect(drawnColumns([0, 100, 200, 300], 120, 100)).toEqual([1, 3]);
    expect(drawnColumns([0, 100], 500, 100)).toEqual([0, 1]);
  });

  test("keys move in the direction of the page and stop at the edges", () => {
    const grid = { rows: 3, columns: 2, pageRows: 10 };
    const press = (key: string, more: object = {}) =>
      cellAfter({ key, ctrl: false, isRtl: false, ...more }, { row: 1, column: 0 }, grid);
    expect(press("ArrowRight")).toEqual({ row: 1, column: 1 });
    expect(press("ArrowLeft", { isRtl: true })).toEqual({ row: 1, column: 1 });
    expect(press("ArrowLeft")).toEqual({ row: 1, column: 0 });
    expect(press("PageUp")).toEqual({ row: -1, column: 0 });
    expect(press("End", { ctrl: true })).toEqual({ row: 2, column: 1 });
    expect(press("x")).toBeUndefined();
    expect(rangeBetween({ row: 2, column: 0 }, { row: -1, column: 1 })).toEqual({
      fromRow: 0,
      toRow: 3,
      fromColumn: 0,
      toColumn: 2,
    });
  });
});

test("a chart suits the columns: one value is a figure, days are a line, words are bars", () => {
  const [day, count, page] = [
    { name: "day", type: "Date" },
    { name: "n", type: "UInt64" },
    { name: "page", type: "String" },
  ];
  expect(suggestedChart([page, count], 1).kind).toBe("figure");
  expect(suggestedChart([page, count], 5).kind).toBe("bar");
  expect(suggestedChart([page, day], 5).kind).toBe("table");
  const line = suggestedChart([count, day], 5);
  expect(line).toEqual({ kind: "line", x: "day", y: ["n"] });
  const rows = [
    ["2", "2026-03-02"],
    ["1", "2026-03-01"],
    ["9", null],
  ];
  expect(pointsOf([count, day], rows, line)).toEqual({
    times: [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)],
    series: [{ id: "n", name: "n", values: [1, 2] }],
  });
});
