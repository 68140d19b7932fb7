import type { Finding } from "./finding.ts";
import { type Candidate, numberMark } from "./number-rules.ts";

/** Digits with what separates them from the group before: `+972 50-123-4567` has four groups. */
type Group = { from: number; to: number; digits: string; separator: string };

const separators = /^[ .()-]{1,3}$/;
const groupsMax = 8;
const digitsMin = 6;
const digitsMax = 19;
/** How far before a number its words count. */
const nearChars = 40;

const month = "(?:0?[1-9]|1[0-2])";
const dayOfMonth = "(?:0?[1-9]|[12]\\d|3[01])";
const year = "(?:19|20)\\d\\d";
/** With a year of four digits. */
const date = new RegExp(
  `^(?:${year}([-. ])${month}\\1${dayOfMonth}|${dayOfMonth}([-. ])${dayOfMonth}\\2${year}|${month}[-.]${year}|${year}[-.]${year})$`,
);
const shortDate = new RegExp(`^${dayOfMonth}([-. ])${dayOfMonth}\\1\\d\\d$`);
const bookNumber = /^97[89][- ]\d{1,5}[- ]\d+[- ]\d+[- ]\d$|^97[89]\d{10}$/;

/** Cards, identity numbers and telephone numbers; not days, versions, prices and years. */
export function* numbers(text: string, before: string): Iterable<Finding> {
  for (const row of rowsOf(text)) {
    for (let at = 0; at < row.length;) {
      const [mark, size] = findingAt(row, at, { text, before });
      const from = row[at]?.from ?? 0;
      const to = row[at + size - 1]?.to ?? from;
      const [sign = ""] = /(?:\+?\(|\(?\+)$/.exec(text.slice(Math.max(0, from - 2), from)) ?? [];
      const opened = sign.includes("(") && !text.slice(from, to).includes(")") ? 1 : 0;
      if (mark !== "") yield { mark, from: from - sign.length + opened, to };
      at += size;
    }
  }
}

/** Groups of digits that are near each other, as far as they are enough for a number together. */
function rowsOf(text: string): Group[][] {
  const rows: { groups: Group[]; digits: number }[] = [];
  let to = Number.NEGATIVE_INFINITY;
  for (const { 0: digits, index: from } of text.matchAll(/\d+/g)) {
    const between = from - to <= 3 ? text.slice(to, from) : "";
    if (!separators.test(between)) rows.push({ groups: [], digits: 0 });
    const separator = between.includes("-") ? "-" : between.includes(".") ? "." : " ";
    to = from + digits.length;
    const row = rows.at(-1);
    row?.groups.push({ from, to, digits, separator });
    if (row !== undefined) row.digits += digits.length;
  }
  return rows.filter(({ digits }) => digits >= 7).map(({ groups }) => groups);
}

/** What begins at a group, and how many groups it has; no mark for a day, and for nothing. */
function findingAt(row: readonly Group[], at: number, place: Place): readonly [string, number] {
  const windows = windowsAt(row, at);
  const first = row[at];
  if (first === undefined || (windows.at(-1)?.digits.length ?? 0) < digitsMin) return ["", 1];
  const dated = [3, 2].find((size) => date.test(windows[size - 1]?.shape ?? ""));
  if (dated !== undefined) return ["", dated];
  const surroundings = surroundingsOf(first, place);
  for (let size = windows.length; size > 0; size -= 1) {
    const window = windows[size - 1];
    // Groups of one digit are rare: mostly they count something.
    if (window === undefined || window.digits.length < Math.max(digitsMin, 2 * size - 3)) continue;
    if (shortDate.test(window.shape) || bookNumber.test(window.shape)) return ["", size];
    const mark = numberMark({ ...surroundings, digits: window.digits, shape: window.shape });
    if (mark !== undefined && !isAttached(place.text, first.from, window.to, size))
      return [mark, size];
  }
  return ["", 1];
}

function surroundingsOf({ from, to }: Group, place: Place): Omit<Candidate, keyof Window> {
  const { text } = place;
  const before = textBefore(place, from);
  const [, words = ""] = /(?:^|\d)(\D*\p{L}\D*)$/u.exec(before) ?? [];
  return {
    plus: text[from - 1] === "+",
    area: text[from - 1] === "(" && text[to] === ")",
    before,
    words,
  };
}

/** What is near before a number, after a mark: `[phone]` says nothing of the next number. */
function textBefore({ text, before }: Place, from: number): string {
  const near = `${before} ${text.slice(Math.max(0, from - nearChars), from)}`.slice(-nearChars);
  return near.slice(near.lastIndexOf("]") + 1);
}

type Place = { text: string; before: string };
type Window = { digits: string; shape: string; to: number };

/** The first group, the first two, and so on, as far as one number reaches. */
function windowsAt(row: readonly Group[], at: number): Window[] {
  const windows: Window[] = [];
  let [digits, shape] = ["", ""];
  for (const group of row.slice(at, at + groupsMax)) {
    shape += windows.length === 0 ? group.digits : group.separator + group.digits;
    digits += group.digits;
    if (digits.length > digitsMax) break;
    windows.push({ digits, shape, to: group.to });
  }
  return windows;
}

/** Part of a longer number, of a version or of a word. */
function isAttached(text: string, from: number, to: number, size: number): boolean {
  const left = text.slice(Math.max(0, from - 2), from);
  const right = text.slice(to, to + 7);
  if (/[a-z]$|\d[.,]$/i.test(left) || /^[a-z]|^[.,]\d|^-\d{1,5}(?!\d)/i.test(right)) return true;
  return size > 1 && /\d-$/.test(left);
}
