/** What is ordered, ascending by rank and then by id. */
export type Ranked = { readonly id: string; readonly rank: string };

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = digits.length;
/** Ranks at an end count in so many digits, so that adding at an end makes none longer. */
const countedDigits = 6;
const charsMax = 40;

export const byRank = (one: Ranked, other: Ranked): number =>
  one.rank === other.rank ? compare(one.id, other.id) : compare(one.rank, other.rank);
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Ranks with which ids come, in their order, before the one at an index of a list. Where the ranks there
 * stand too close together, neighbours get others as well.
 * @param ordered without those ids
 * @returns what changes
 */
export function placeAt(
  ordered: readonly Ranked[],
  index: number,
  ids: readonly string[],
): readonly Ranked[] {
  for (let width = 0; ; width = width * 2 + 8) {
    const [from, to] = [Math.max(0, index - width), Math.min(ordered.length, index + width)];
    const placed = [
      ...ordered.slice(from, index).map(({ id }) => id),
      ...ids,
      ...ordered.slice(index, to).map(({ id }) => id),
    ];
    const ranks = ranksBetween(ordered[from - 1]?.rank, ordered[to]?.rank, placed.length);
    const fits = ranks?.every((rank) => rank.length <= charsMax) === true;
    if (fits) return placed.map((id, at) => ({ id, rank: ranks[at] ?? "" }));
  }
}

/** So many ranks, ascending, between two; undefined when there are none, since those are equal. */
function ranksBetween(
  after: string | undefined,
  before: string | undefined,
  count: number,
): readonly string[] | undefined {
  if (count === 0) return [];
  if (before === undefined) return counted(after, count);
  const middle = (after ?? "") < before ? middleOf(after ?? "", before) : undefined;
  if (middle === undefined) return undefined;
  const left = Math.floor(count / 2);
  const lower = ranksBetween(after, middle, left);
  const upper = ranksBetween(middle, before, count - left - 1);
  return lower && upper && [...lower, middle, ...upper];
}

/** Ranks after one, each the next number. */
function counted(after: string | undefined, count: number): readonly string[] {
  const last = after === undefined ? middleNumber : numberOf(after);
  return Array.from({ length: count }, (_, index) => textOf(last + 1 + index));
}

const middleNumber = Math.floor(base ** countedDigits / 2);

const numberOf = (rank: string): number =>
  Array.from({ length: countedDigits }, (_, at) => digitAt(rank, at)).reduce(
    (sum, digit) => sum * base + digit,
    0,
  );

const digitAt = (rank: string, at: number): number => Math.max(0, digits.indexOf(rank[at] ?? "0"));

function textOf(number: number): string {
  let text = "";
  for (let left = number; text.length < countedDigits; left = Math.floor(left / base))
    text = digits.charAt(left % base) + text;
  return text;
}

/** A rank about the middle of two, which are read as fractions; undefined when they are equal. */
function middleOf(after: string, before: string): string | undefined {
  let middle = "";
  let isOpen = false;
  for (let at = 0; isOpen || at < before.length; at += 1) {
    const low = digitAt(after, at);
    const high: number = isOpen ? base : digitAt(before, at);
    const digit = Math.floor((low + high) / 2);
    if (digit > low) return middle + digits.charAt(digit);
    middle += digits.charAt(low);
    isOpen ||= low < high;
  }
  return undefined;
}
