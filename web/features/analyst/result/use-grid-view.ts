import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import {
  type BodySize,
  columnStarts,
  contentPx,
  drawnColumns,
  drawnRows,
  type GridCell,
  scrollTopFor,
} from "./result-layout.ts";
import type { ResultValue } from "./result-rows.ts";
import type { ShownResult } from "./result-source.ts";

const charPx = 8.5;
const cellPaddingPx = 28;
/** The mark of the order beside a name. */
const orderPx = 24;
const charsMin = 5;
const valueCharsMax = 48;

/** Rows are two lines of the reader's own text size high. */
const rowPxOf = (): number =>
  2 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** As wide as a name with the mark of its order, or as the first values, up to a line of reading. */
const startsOf = (
  columns: ShownResult["columns"],
  chars: readonly number[],
): ReturnType<typeof columnStarts> =>
  columnStarts(
    columns.map(({ name }, at) => {
      const valueChars = Math.max(charsMin, Math.min(valueCharsMax, chars[at] ?? 0));
      const widest = Math.max(valueChars * charPx, name.length * charPx + orderPx);
      return Math.ceil(widest + cellPaddingPx);
    }),
  );

/** What of a grid is in sight. First the ref of what scrolls. */
export function useGridView({ columns, chars, count }: ShownResult) {
  const [rowPx] = useState(rowPxOf);
  const [seen, setSeen] = useState({ top: 0, start: 0, width: 0, height: 0 });
  const element = useRef<HTMLElement | null>(null);
  const frame = useCallback((found: HTMLElement | null) => {
    element.current = found;
    if (found === null) return undefined;
    const look = (): void =>
      setSeen({
        top: found.scrollTop,
        // Negative in pages from right to left.
        start: Math.abs(found.scrollLeft),
        width: found.clientWidth,
        height: found.clientHeight,
      });
    const observer = new ResizeObserver(look);
    observer.observe(found);
    found.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      found.removeEventListener("scroll", look);
    };
  }, []);
  const starts = useMemo(() => startsOf(columns, chars), [columns, chars]);
  const numberPx = Math.ceil(String(count).length * charPx + cellPaddingPx);
  const size: BodySize = { rowPx, count, viewPx: Math.max(rowPx, seen.height - rowPx) };
  const show = ({ row, column }: GridCell): void => {
    const found = element.current;
    if (found === null) return;
    if (row >= 0) found.scrollTop = scrollTopFor(size, found.scrollTop, row);
    const isRtl = getComputedStyle(found).direction === "rtl";
    const [from = 0, to = 0] = [starts[column], starts[column + 1]];
    const [start, width] = [Math.abs(found.scrollLeft), found.clientWidth - numberPx];
    const next = from < start ? from : to > start + width ? Math.min(from, to - width) : start;
    found.scrollLeft = isRtl ? -next : next;
  };
  const view = {
    rowPx,
    numberPx,
    starts,
    show,
    rows: drawnRows(size, seen.top),
    columns: drawnColumns(starts, seen.start, seen.width),
    contentPx: contentPx(size),
    pageRows: Math.max(1, Math.floor(size.viewPx / rowPx) - 1),
  };
  return [frame, view] as const;
}
export type GridView = ReturnType<typeof useGridView>[1];

const blockRows = 100;
/** Blocks that stay at hand; the others are read again when they come into sight. */
const blocksMax = 40;

type Block = readonly (readonly ResultValue[])[];

/**
 * The rows of a result, read in blocks as they come into sight.
 * @param version changes when the rows have another order
 * @returns the cells of a row; undefined until they are there
 */
export function useRows(
  { source, columns, count }: ShownResult,
  [from, to]: readonly [number, number],
  version: number,
): (row: number) => readonly ResultValue[] | undefined {
  const blocks = useRef({ key: "", read: new Map<number, Block>() });
  const [, setArrived] = useState(0);
  const key = `${version}`;
  const [first, last] = [Math.floor(from / blockRows), Math.floor(Math.max(0, to - 1) / blockRows)];
  useEffect(() => {
    if (blocks.current.key !== key) blocks.current = { key, read: new Map() };
    const { read } = blocks.current;
    let isShown = true;
    for (let block = first; block <= last; block += 1) {
      const fromRow = block * blockRows;
      const toRow = Math.min(count, fromRow + blockRows);
      // A block that was read while rows still arrived is read again once it has more.
      if ((read.get(block)?.length ?? -1) >= toRow - fromRow) continue;
      void source
        .read({ fromRow, toRow, fromColumn: 0, toColumn: columns.length })
        .then((rows) => {
          read.set(block, rows);
          for (const old of [...read.keys()].slice(0, Math.max(0, read.size - blocksMax)))
            if (old < first || old > last) read.delete(old);
          if (isShown) setArrived((arrived) => arrived + 1);
        })
        // Closed meanwhile: nothing is shown of it any more.
        .catch(() => undefined);
    }
    return () => {
      isShown = false;
    };
  }, [source, columns.length, count, key, first, last]);
  return (row) =>
    blocks.current.key === key
      ? blocks.current.read.get(Math.floor(row / blockRows))?.[row % blockRows]
      : undefined;
}
