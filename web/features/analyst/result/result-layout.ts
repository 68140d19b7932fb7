/** Browsers limit the size of an element; Firefox has the lowest limit, about 17.8 million pixels. */
const contentPxMax = 15_000_000;
const rowsAround = 6;

/** Sizes of a table's body in pixels. */
export type BodySize = { readonly rowPx: number; readonly count: number; readonly viewPx: number };
/** Rows to be drawn, the end excluded, and where the first of them begins. */
export type DrawnRows = { readonly from: number; readonly to: number; readonly startPx: number };

/** The height of what scrolls. */
export const contentPx = ({ rowPx, count }: BodySize): number =>
  Math.min(rowPx * count, contentPxMax);

/** How many rows one pixel of scrolling passes over, where not all of them fit into the height. */
function scale(size: BodySize): number {
  const travel = contentPx(size) - size.viewPx;
  return travel <= 0 ? 1 : (size.rowPx * size.count - size.viewPx) / travel;
}

/** The rows in sight and a few around them, at this scroll position. */
export function drawnRows(size: BodySize, scrollTop: number): DrawnRows {
  const { rowPx, count, viewPx } = size;
  const offset = Math.max(0, scrollTop * scale(size));
  const from = Math.max(0, Math.floor(offset / rowPx) - rowsAround);
  const to = Math.min(count, Math.ceil((offset + viewPx) / rowPx) + rowsAround);
  // Drawn at their distance from what is seen, wherever the scaled offset lies.
  return { from, to, startPx: scrollTop - (offset - from * rowPx) };
}

/** The scroll position nearest to the present one at which a row is wholly in sight. */
export function scrollTopFor(size: BodySize, scrollTop: number, row: number): number {
  const ratio = scale(size);
  const offset = scrollTop * ratio;
  const [start, end] = [row * size.rowPx, (row + 1) * size.rowPx];
  if (start < offset) return start / ratio;
  return end > offset + size.viewPx ? (end - size.viewPx) / ratio : scrollTop;
}

/** Of each column where it begins, and behind the last where the table ends. */
export function columnStarts(widths: readonly number[]): number[] {
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
}

/** The columns in sight, the end excluded. */
export function drawnColumns(
  starts: readonly number[],
  scrollStart: number,
  viewPx: number,
): readonly [from: number, to: number] {
  const last = starts.length - 1;
  const from = starts.findLastIndex((start) => start <= scrollStart);
  const to = starts.findIndex((start) => start >= scrollStart + viewPx);
  return [Math.max(0, Math.min(from, last - 1)), to === -1 ? last : to];
}

/** A cell of the grid; the row of names is -1. */
export type GridCell = { readonly row: number; readonly column: number };
type GridSize = { readonly rows: number; readonly columns: number; readonly pageRows: number };
type Pressed = { readonly key: string; readonly ctrl: boolean; readonly isRtl: boolean };

/** The cell that a key leads to; undefined for any other key. */
export function cellAfter({ key, ctrl, isRtl }: Pressed, from: GridCell, size: GridSize) {
  const [last, end] = [size.rows - 1, size.columns - 1];
  const { row, column } = from;
  const forward = isRtl ? -1 : 1;
  const moves: Readonly<Record<string, GridCell>> = {
    ArrowDown: { row: ctrl ? last : row + 1, column },
    ArrowUp: { row: ctrl ? -1 : row - 1, column },
    ArrowRight: { row, column: column + forward },
    ArrowLeft: { row, column: column - forward },
    PageDown: { row: row + size.pageRows, column },
    PageUp: { row: row - size.pageRows, column },
    Home: { row: ctrl ? -1 : row, column: 0 },
    End: { row: ctrl ? last : row, column: end },
  };
  const to = moves[key];
  return (
    to && {
      row: Math.max(-1, Math.min(last, to.row)),
      column: Math.max(0, Math.min(end, to.column)),
    }
  );
}

/** The rectangle between two cells, without the row of names; the ends are excluded. */
export function rangeBetween(one: GridCell, other: GridCell) {
  return {
    fromRow: Math.max(0, Math.min(one.row, other.row)),
    toRow: Math.max(one.row, other.row, 0) + 1,
    fromColumn: Math.min(one.column, other.column),
    toColumn: Math.max(one.column, other.column) + 1,
  };
}
