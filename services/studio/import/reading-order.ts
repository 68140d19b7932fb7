import { joinedSpans, type Span } from "./lines.ts";

/** Text at its place on a page, in points from the lower left corner. */
export type Piece = Span & {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
};

/** Wider than a space of any typeface, in relation to the size: what stands beyond is apart. */
const apartFrom = 0.75;
/** Narrower than a space. */
const spaceFrom = 0.13;

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u;
const leftToRight = /[\p{L}\p{N}]/u;

const gapBetween = (left: Piece, right: Piece): number =>
  (right.x - left.x - left.width) / Math.max(left.size, right.size);

/**
 * The parts of a line as they are read. A page has only places: in a line from right to left, the runs are taken
 * from the right, and neighbouring ones of the other direction among themselves from the left (as UAX #9 sets them).
 * @param rtl whether the line is read from right to left
 */
export function partsInOrder(pieces: readonly Piece[], rtl: boolean): Span[][] {
  const parts: Piece[][] = [];
  for (const piece of pieces.toSorted((one, other) => one.x - other.x)) {
    const last = parts.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || gapBetween(before, piece) > apartFrom) parts.push([piece]);
    else last.push(piece);
  }
  const ordered = parts.map((part) => spansOf(part, rtl));
  return rtl ? ordered.toReversed() : ordered;
}

/** Neighbours on the page, from left to right, that run in the direction of the line or against it. */
type Group = { readonly pieces: Spaced[]; readonly isAgainst: boolean };
/** With whether a space stands at its left side. */
type Spaced = { readonly piece: Piece; readonly space: boolean };

function groupsOf(part: readonly Piece[], rtl: boolean): Group[] {
  const groups: Group[] = [];
  const isAgainst = (text: string): boolean =>
    rtl ? !rightToLeft.test(text) && leftToRight.test(text) : rightToLeft.test(text);
  const isNeutral = (text: string): boolean => !rightToLeft.test(text) && !leftToRight.test(text);
  for (const [index, piece] of part.entries()) {
    const before = part[index - 1];
    const spaced = { piece, space: before !== undefined && gapBetween(before, piece) > spaceFrom };
    const last = groups.at(-1);
    const next = part.slice(index).find(({ text }) => !isNeutral(text));
    // Signs between two runs against the line belong to them.
    const against = isNeutral(piece.text)
      ? last?.isAgainst === true && next !== undefined && isAgainst(next.text)
      : isAgainst(piece.text);
    if (last?.isAgainst === against) last.pieces.push(spaced);
    else groups.push({ pieces: [spaced], isAgainst: against });
  }
  return groups;
}

/** The pieces of a part, from left to right, as spans in the order of reading. */
function spansOf(part: readonly Piece[], rtl: boolean): Span[] {
  const groups = groupsOf(part, rtl);
  const spans: Span[] = [];
  const add = ({ piece: { text, bold, italic, link } }: Spaced): void => {
    spans.push({ text, bold, italic, link });
  };
  const addSpace = (isThere: boolean | undefined): void => {
    const last = spans.at(-1);
    if (isThere === true && last !== undefined) spans.push({ ...last, text: " " });
  };
  for (const { pieces, isAgainst } of rtl ? groups.toReversed() : groups) {
    const fromLeft = rtl === isAgainst;
    if (!rtl) addSpace(pieces[0]?.space);
    for (const [index, spaced] of (fromLeft ? pieces : pieces.toReversed()).entries()) {
      if (fromLeft && index > 0) addSpace(spaced.space);
      add(spaced);
      if (!fromLeft && index < pieces.length - 1) addSpace(spaced.space);
    }
    if (rtl) addSpace(pieces[0]?.space);
  }
  return joinedSpans(spans);
}
