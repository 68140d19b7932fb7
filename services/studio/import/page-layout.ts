import { joinedSpans, type Line, rankOf, space, statedParts, textOf, textOfPart } from "./lines.ts";
import type { PagePiece, PdfPage } from "./pdf-pieces.ts";
import { periodIn } from "./periods.ts";
import { partsInOrder } from "./reading-order.ts";

const bullet = /^\s*[•●▪◦‣∙·*\uF0B7\u2013\u2014-](?=\s|$)\s*/u;
const pageNumber = /^(?:page\s+|עמוד\s+)?\d{1,2}(?:\s*(?:of|\/|מתוך)\s*\d{1,2})?$/iu;
/** Of the space between base lines: more begins a paragraph. */
const paragraphFrom = 1.35;
/** A line that ends before this share of its column is the last of its paragraph. */
const fullFrom = 0.8;

/** A line of a page as it is set. */
type Row = {
  readonly parts: Line["parts"];
  readonly isBullet: boolean;
  readonly rank: number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly path: string;
};

/** Pieces by the lines of the page that they stand in, from top to bottom. */
export function rowsOf<T extends { readonly y: number; readonly size: number }>(
  pieces: readonly T[],
): T[][] {
  const rows: T[][] = [];
  for (const piece of pieces.toSorted((one, other) => other.y - one.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    const isSame =
      first !== undefined && Math.abs(first.y - piece.y) < Math.min(first.size, piece.size) * 0.5;
    if (row !== undefined && isSame) row.push(piece);
    else rows.push([piece]);
  }
  return rows;
}

/**
 * The lines of a PDF without tags: by columns, base lines, sizes, weights and the space between them.
 * @param usual the size of most characters, in points
 */
export function linesByPlace(pages: readonly PdfPage[], usual: number, rtl: boolean): Line[] {
  return pages.flatMap((page, index) =>
    columnsOf(page).flatMap((pieces) => {
      const rows = rowsOf(pieces).flatMap((row) => rowOf(row, usual, rtl, `page ${index + 1}`));
      return paragraphsOf(rows, rtl);
    }),
  );
}

/** The columns of a page in the order in which they are read: one, or two with a gutter between them. */
function columnsOf({ pieces, width }: PdfPage): (readonly PagePiece[])[] {
  const at = gutterOf(pieces, width);
  if (at === undefined) return [pieces];
  const left = pieces.filter(({ x }) => x < at);
  const right = pieces.filter(({ x }) => x >= at);
  const [main, side] = textLength(left) > textLength(right) ? [left, right] : [right, left];
  // The name stands above the wider column, contact data often in the narrow one.
  return [main, side];
}

const textLength = (pieces: readonly PagePiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);

/** Where no text crosses the page from top to bottom, and what stands beside is more than dates. */
function gutterOf(pieces: readonly PagePiece[], width: number): number | undefined {
  for (let at = width * 0.25; at < width * 0.75; at += 4) {
    const crossing = pieces.filter(({ x, width: own }) => x < at && x + own > at);
    if (crossing.length > 0) continue;
    const sides = [pieces.filter(({ x }) => x < at), pieces.filter(({ x }) => x >= at)];
    const rows = sides.map((side) =>
      rowsOf(side).map((row) => row.map(({ text }) => text).join(" ")),
    );
    const isColumn = rows.every(
      (side) =>
        side.length >= 6 &&
        side.filter((text) => periodIn(text) !== undefined || text.length <= 3).length <
          side.length * 0.4,
    );
    if (isColumn) return at;
  }
  return undefined;
}

function rowOf(pieces: readonly PagePiece[], usual: number, rtl: boolean, path: string): Row[] {
  const ordered = partsInOrder(pieces, rtl).map((part) => joinedSpans(part));
  const all = ordered.filter((part) => textOfPart(part) !== "");
  const first = textOfPart(all[0] ?? []);
  const isBullet = bullet.test(first);
  const [lead, ...rest] = all[0] ?? [];
  const cleaned =
    isBullet && lead !== undefined
      ? [[{ ...lead, text: lead.text.replace(bullet, "") }, ...rest], ...all.slice(1)]
      : all;
  const parts = statedParts(cleaned);
  const text = textOf({ parts });
  if (parts.length === 0 || pageNumber.test(text)) return [];
  const size = Math.max(...pieces.map((piece) => piece.size));
  return [
    {
      // Text of a list item stands apart from its sign, not from itself.
      parts: isBullet
        ? [parts.flatMap((part, index) => (index === 0 ? part : [space, ...part]))]
        : parts,
      isBullet,
      rank: isBullet ? 0 : rankOf(parts, size / usual),
      y: pieces[0]?.y ?? 0,
      left: Math.min(...pieces.map(({ x }) => x)),
      right: Math.max(...pieces.map(({ x, width }) => x + width)),
      path,
    },
  ];
}

/** What the rows of a column have in common. */
type Column = {
  readonly left: number;
  readonly right: number;
  readonly gap: number;
  readonly rtl: boolean;
};

function columnOf(rows: readonly Row[], rtl: boolean): Column {
  const gaps = rows.slice(1).map((row, index) => (rows[index]?.y ?? row.y) - row.y);
  return {
    left: Math.min(...rows.map((row) => row.left)),
    right: Math.max(...rows.map((row) => row.right)),
    gap: gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0,
    rtl,
  };
}

const isApartFrom = (before: Row, row: Row, { gap }: Column): boolean =>
  before.y - row.y > gap * paragraphFrom;

/** Whether a row is the rest of the text of the one above, which then is as wide as its column. */
function isRestOf(before: Row, row: Row, column: Column): boolean {
  if (row.isBullet || isApartFrom(before, row, column)) return false;
  if (row.parts.length > 1 || before.parts.length > 1) return false;
  const { left, right, rtl } = column;
  const width = rtl ? right - before.left : before.right - left;
  return row.rank === 0 && before.rank === 0 && width >= (right - left) * fullFrom;
}

/** Lines that continue a paragraph or a list item are joined to it. */
function paragraphsOf(rows: readonly Row[], rtl: boolean): Line[] {
  const column = columnOf(rows, rtl);
  const lines: Line[] = [];
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    const last = lines.at(-1);
    if (last !== undefined && before !== undefined && isRestOf(before, row, column)) {
      const joined = joinedSpans([...(last.parts.at(-1) ?? []), space, ...row.parts.flat()]);
      lines[lines.length - 1] = { ...last, parts: [...last.parts.slice(0, -1), joined] };
      continue;
    }
    const { parts, isBullet, rank, path } = row;
    const isApart = before === undefined || isApartFrom(before, row, column);
    lines.push({ parts, isBullet, rank, isApart, path });
  }
  return lines;
}
