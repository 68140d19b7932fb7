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
