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

/** With whether a space stands at its left side. */
type Spaced = { readonly piece: Piece; readonly space: boolean };
type Kind = "right-to-left" | "letters" | "digits" | "signs";

function kindOf(text: string): Kind {
  if (rightToLeft.test(text)) return "right-to-left";
  if (/\p{L}/u.test(text)) return "letters";
  return leftToRight.test(text) ? "digits" : "signs";
}

const endOfItem = /^[,;:.!?]+$/;
/** Signs that stand behind what they belong to, as in `C++`, `18%` and `B.Sc.` */
const behind = /^[+#%°.]+$/;

/**
 * Whether a piece continues the one at its left against the direction of the line. In a line from right to left, a
 * comma that touches only what is at its right ends an item of that line, and a dash between two numbers is one of
 * the line too; a line from left to right has Hebrew words to join, and the signs between them.
 */
function continues(part: readonly Spaced[], index: number, rtl: boolean): boolean {
  const kind = (at: number): Kind | undefined => {
    const piece = part[at]?.piece;
    return piece === undefined ? undefined : kindOf(piece.text);
  };
  const isAgainst = (one: Kind | undefined): boolean =>
    rtl ? one === "letters" || one === "digits" : one === "right-to-left";
  const [before, own] = [kind(index - 1), kind(index)];
  if (isAgainst(before) && isAgainst(own)) return true;
  const at = own === "signs" ? index : before === "signs" ? index - 1 : undefined;
  const sign = at === undefined ? undefined : part[at];
  if (at === undefined || sign === undefined) return false;
  const [left, right] = [kind(at - 1), kind(at + 1)];
  const touchesRight = part[at + 1]?.space === false;
  if (rtl && at === index && isAgainst(left) && !sign.space && behind.test(sign.piece.text)) return true;
  if (rtl && at === index - 1 && sign.piece.text === "." && /^NET\b/.test(part[index]?.piece.text ?? "")) return touchesRight;
  if (!isAgainst(left) || !isAgainst(right)) return false;
  if (!rtl) return true;
  const endsItem = sign.space && touchesRight && endOfItem.test(sign.piece.text);
  return !endsItem && (left === "letters" || right === "letters");
}

/** Neighbours on the page that are read from one side. */
function groupsOf(part: readonly Piece[], rtl: boolean): Spaced[][] {
  const spaced = part.map((piece, index) => {
    const before = part[index - 1];
    return { piece, space: before !== undefined && gapBetween(before, piece) > spaceFrom };
  });
  const groups: Spaced[][] = [];
  for (const [index, one] of spaced.entries()) {
    if (index > 0 && continues(spaced, index, rtl)) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** The pieces of a part, from left to right, as spans in the order of reading. */
function spansOf(part: readonly Piece[], rtl: boolean): Span[] {
  const groups = groupsOf(part, rtl);
  const spans: Span[] = [];
  const add = ({ piece: { text, bold, italic, link } }: Spaced, isAlone: boolean): void => {
    // Signs without a letter are given as they stand, from left to right.
    const turned = rtl && isAlone && kindOf(text) === "signs";
    spans.push({ text: turned ? [...text].toReversed().join("") : text, bold, italic, link });
  };
  const addSpace = (isThere: boolean | undefined): void => {
    const last = spans.at(-1);
    if (isThere === true && last !== undefined) spans.push({ ...last, text: " " });
  };
  for (const pieces of rtl ? groups.toReversed() : groups) {
    const fromLeft = rtl;
    if (!rtl) addSpace(pieces[0]?.space);
    for (const [index, spaced] of (fromLeft ? pieces : pieces.toReversed()).entries()) {
      if (fromLeft && index > 0) addSpace(spaced.space);
      add(spaced, pieces.length === 1);
      if (!fromLeft && index < pieces.length - 1) addSpace(spaced.space);
    }
    if (rtl) addSpace(pieces[0]?.space);
  }
  return joinedSpans(spans);
}
