import { useEffect, useRef, useState } from "react";

import type { ResultValue } from "./result-rows.ts";
import type { ShownResult } from "./result-source.ts";

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
