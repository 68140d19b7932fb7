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
    if (last === undefined || before === undefined || gapBetween(before, piece) > apartFrom)
      parts.push([piece]);
    else last.push(piece);
  }
  const ordered = parts.map((part) => spansOf(part, rtl));
  return rtl ? ordered.toReversed() : ordered;
}

/** With whether a space stands at its left side. */
type Spaced = { readonly piece: Piece; readonly space: boolean };
type Kind = "right-to-left" | "latin" | "digits" | "signs";

function kindOf(text: string): Kind {
  if (rightToLeft.test(text)) return "right-to-left";
  if (/\p{L}/u.test(text)) return "latin";
  return leftToRight.test(text) ? "digits" : "signs";
}

const endOfItem = /^[,;:.!?]+$/;
/** Signs that stand behind what they belong to, as in `C++`, `18%` and `B.Sc.` */
const behind = /^[+#%°.]+$/;

const isAgainst = (kind: Kind | undefined, rtl: boolean): boolean =>
  rtl ? kind === "latin" || kind === "digits" : kind === "right-to-left";

/** A sign with what stands at both sides of it. */
type Sign = {
  readonly text: string;
  readonly left: Kind | undefined;
  readonly right: Kind | undefined;
  readonly rightText: string;
  readonly touchesLeft: boolean;
  readonly touchesRight: boolean;
};

function signAt(part: readonly Spaced[], at: number): Sign | undefined {
  const kind = (index: number): Kind | undefined => {
    const piece = part[index]?.piece;
    return piece === undefined ? undefined : kindOf(piece.text);
  };
  const sign = part[at];
  if (sign === undefined || kind(at) !== "signs") return undefined;
  return {
    text: sign.piece.text,
    left: kind(at - 1),
    right: kind(at + 1),
    rightText: part[at + 1]?.piece.text ?? "",
    touchesLeft: !sign.space,
    touchesRight: part[at + 1]?.space === false,
  };
}

/**
 * Whether a sign joins what stands at both its sides. In a line from right to left, a comma that touches only what
 * is at its right ends an item of that line, and a dash between two numbers is one of the line too.
 */
function joinsBoth({ text, left, right, touchesLeft, touchesRight }: Sign, rtl: boolean): boolean {
  if (!isAgainst(left, rtl) || !isAgainst(right, rtl)) return false;
  if (!rtl) return true;
  const endsItem = !touchesLeft && touchesRight && endOfItem.test(text);
  return !endsItem && (left === "latin" || right === "latin");
}

/** Whether a sign belongs to the text at its left, as in `C++`, or to that at its right, as in `.NET`. */
const joinsLeft = ({ text, left, touchesLeft }: Sign, rtl: boolean): boolean =>
  rtl && isAgainst(left, rtl) && touchesLeft && behind.test(text);
const joinsRight = ({ text, rightText, touchesRight }: Sign, rtl: boolean): boolean =>
  rtl && text === "." && touchesRight && /^NET\b/.test(rightText);

/** Whether a piece continues the one at its left against the direction of the line. */
function continues(part: readonly Spaced[], index: number, rtl: boolean): boolean {
  const own = signAt(part, index);
  if (own !== undefined) return joinsLeft(own, rtl) || joinsBoth(own, rtl);
  const before = signAt(part, index - 1);
  if (before !== undefined) return joinsRight(before, rtl) || joinsBoth(before, rtl);
  const texts = [part[index - 1], part[index]];
  return texts.every((one) => one !== undefined && isAgainst(kindOf(one.piece.text), rtl));
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
    // Signs alone are given as they stand, from left to right.
    const turned = rtl && isAlone && kindOf(text) === "signs";
    spans.push({
      text: turned ? Array.from(text).toReversed().join("") : text,
      bold,
      italic,
      link,
    });
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
