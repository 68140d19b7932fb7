import { joinedSpans, type Line, rankOf, statedParts, textOfPart } from "./lines.ts";
import { linesByPlace, rowsOf } from "./page-layout.ts";
import type { PageBlock } from "./page-tags.ts";
import type { PagePiece, PdfPage } from "./pdf-pieces.ts";
import { partsInOrder } from "./reading-order.ts";

/** The size of most characters of a file, in points. */
export function usualSize(pages: readonly PdfPage[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of pages.flatMap(({ pieces }) => pieces)) {
    const rounded = Math.round(size * 4) / 4;
    counts.set(rounded, (counts.get(rounded) ?? 0) + text.length);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 10;
}

/** Most characters are Hebrew or Arabic. */
function isRightToLeft(pages: readonly PdfPage[]): boolean {
  const text = pages.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join("");
  const against = text.match(/[\u0590-\u08FF]/g)?.length ?? 0;
  return against > (text.match(/[A-Za-z]/g)?.length ?? 0) / 2;
}

/** A file whose tags cover less of its text is read by place alone. */
const taggedFrom = 0.8;

function isTagged(pages: readonly PdfPage[]): boolean {
  const pieces = pages.flatMap((page) => page.pieces);
  const tagged = pieces.filter(({ block }) => block !== undefined && block.number > 1);
  const hasHeading = tagged.some(({ block }) => (block?.level ?? 0) > 0);
  return hasHeading && tagged.length >= pieces.length * taggedFrom;
}

/** The lines of a PDF: by its tags where it has some, else by what stands where. */
export function linesOfPdf(pages: readonly PdfPage[]): Line[] {
  const usual = usualSize(pages);
  const rtl = isRightToLeft(pages);
  if (!isTagged(pages)) return linesByPlace(pages, usual, rtl);
  return pages
    .flatMap((page, index) => linesByTags(page, { usual, rtl, path: `page ${index + 1}` }))
    .reduce<TaggedLine[]>(joinAcrossPages, []);
}

type Context = { readonly usual: number; readonly rtl: boolean; readonly path: string };
type TaggedLine = Line & { readonly continues: boolean };
type Block = { readonly of: PageBlock; readonly pieces: PagePiece[]; isLabelled: boolean };

function linesByTags({ pieces }: PdfPage, context: Context): TaggedLine[] {
  const blocks: Block[] = [];
  for (const piece of pieces) {
    // What has no tag is ornament, or a number of a page.
    if (piece.block === undefined) continue;
    let block = blocks.find(({ of }) => of === piece.block);
    if (block === undefined)
      blocks.push((block = { of: piece.block, pieces: [], isLabelled: false }));
    if (piece.isLabel) block.isLabelled = true;
    else block.pieces.push(piece);
  }
  const rows: Block[][] = [];
  for (const block of blocks.filter((one) => one.pieces.length > 0)) {
    const last = rows.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isBeside(before, block)) last.push(block);
    else rows.push([block]);
  }
  return rows.map((row, index) => lineOf(row, index === 0, context));
}

/** Cells of one row: on one base line, and neither above the other. */
function isBeside(one: Block, other: Block): boolean {
  if (one.of.isBullet || other.of.isBullet) return false;
  const [first, second] = [one.pieces[0], other.pieces[0]];
  if (first === undefined || second === undefined) return false;
  const rightOf = ({ pieces }: Block): number =>
    Math.max(...pieces.map(({ x, width }) => x + width));
  const leftOf = ({ pieces }: Block): number => Math.min(...pieces.map(({ x }) => x));
  const isApart = rightOf(one) <= leftOf(other) || rightOf(other) <= leftOf(one);
  return isApart && Math.abs(first.y - second.y) < Math.max(first.size, second.size) * 0.5;
}

function partsOf({ of, pieces }: Block, rtl: boolean): Line["parts"] {
  const rows = rowsOf(pieces).map((row) => partsInOrder(row, rtl));
  if (of.level === 0 && !of.isBullet) return rows.flat();
  // Lines of a heading or a list item are one text.
  return [rows.flat().flatMap((part, index) => joinedWith(part, index > 0))];
}

function joinedWith(part: Line["parts"][number], hasText: boolean): Line["parts"][number] {
  const [first] = part;
  return hasText && first !== undefined ? [{ ...first, text: " " }, ...part] : part;
}

function lineOf(
  row: readonly Block[],
  isFirst: boolean,
  { usual, rtl, path }: Context,
): TaggedLine {
  const parts = statedParts(
    row.flatMap((block) => partsOf(block, rtl).map((part) => joinedSpans(part))),
  );
  const level = Math.max(...row.map(({ of }) => of.level));
  const [block] = row;
  const isBullet = block?.of.isBullet ?? false;
  const size = Math.max(...row.flatMap(({ pieces }) => pieces.map((piece) => piece.size)));
  const rank = level > 0 ? 20 - level : isBullet ? 0 : rankOf(parts, size / usual);
  return {
    parts,
    isBullet,
    // A bold beginning of running text is no heading of its own where headings are tagged.
    rank: level > 0 ? rank : Math.min(rank, 0),
    isApart: false,
    path,
    continues:
      isFirst && level === 0 && (isBullet ? block?.isLabelled === false : row.length === 1),
  };
}

/** The rest of a list item or paragraph that ends on the next page. */
function joinAcrossPages(lines: TaggedLine[], line: TaggedLine): TaggedLine[] {
  const before = lines.at(-1);
  const isRest =
    line.continues &&
    before !== undefined &&
    before.path !== line.path &&
    before.isBullet === line.isBullet &&
    before.rank === line.rank &&
    (line.isBullet ||
      (before.parts.length > 1 && !/[.!?:]$/.test(textOfPart(before.parts.at(-1) ?? []))));
  if (line.parts.length === 0) return lines;
  if (!isRest) return [...lines, line];
  const parts = [
    ...before.parts.slice(0, -1),
    [...(before.parts.at(-1) ?? []), ...joinedWith(line.parts[0] ?? [], true)],
    ...line.parts.slice(1),
  ];
  return [...lines.slice(0, -1), { ...before, parts }];
}
