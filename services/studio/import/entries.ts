import { type Line, statedParts, textOf, textOfPart } from "./lines.ts";
import { type Period, periodIn } from "./periods.ts";

/** The lines of one entry: those that say what it is, and what is told about it. */
export type EntryLines = {
  readonly heads: readonly Line[];
  readonly body: readonly Line[];
  readonly period: Period;
};

type Open = {
  readonly heads: Line[];
  readonly body: Line[];
  period: Period | undefined;
};

/** A line of more characters is told, not a name. */
const headCharsMax = 140;
/** From this rank on, lines are headings by themselves. */
const headingRank = 1;

const isTold = (line: Line): boolean => {
  const text = textOf(line);
  if (line.rank >= headingRank) return false;
  return text.length > headCharsMax || (text.length > 60 && /[.!?]$/.test(text));
};

/** A line without the period that it states. */
function withoutPeriod(line: Line): { readonly line: Line; readonly period: Period | undefined } {
  for (const [index, part] of line.parts.entries()) {
    const found = periodIn(textOfPart(part));
    if (found === undefined) continue;
    const rest = found.rest === "" ? [] : [keepStart(part, found.rest)];
    return {
      line: { ...line, parts: statedParts(line.parts.toSpliced(index, 1, ...rest)) },
      period: found.period,
    };
  }
  return { line, period: undefined };
}

/** The part with that text: as it was where only its end is left out. */
function keepStart(part: Line["parts"][number], text: string): Line["parts"][number] {
  const [first] = part;
  if (first === undefined) return part;
  const kept: (typeof first)[] = [];
  let left = text;
  for (const span of part) {
    const own = span.text.trim();
    if (own === "" || left === "") continue;
    if (!left.startsWith(own)) return [{ ...first, text }];
    kept.push(span);
    left = left.slice(own.length).trim();
  }
  return left === "" ? kept : [{ ...first, text }];
}

function startsEntry(open: Open, line: Line, period: Period | undefined): boolean {
  const [head] = open.heads;
  const isProminent = line.rank > 0;
  const isDatesAlone = period !== undefined && line.parts.length === 0;
  if (open.body.length > 0)
    return isProminent || period !== undefined || (line.isApart && !isTold(line));
  if (period !== undefined && open.period !== undefined) return true;
  if (head === undefined || isDatesAlone) return false;
  if (line.rank >= headingRank && line.rank >= Math.max(...open.heads.map(({ rank }) => rank)))
    return true;
  return isProminent && open.heads.some(({ rank }) => rank > 0) && (open.heads.at(-1)?.rank ?? 0) < line.rank;
}

/**
 * Divides the lines of a section into entries: a new one begins where a line stands out or states a period
 * after the text of another.
 * @param isDatesFirst the dates of an entry stand in the line above its title
 */
export function entriesIn(lines: readonly Line[]): EntryLines[] {
  const entries: Open[] = [];
  const [top] = lines;
  const isDatesFirst = top !== undefined && withoutPeriod(top).line.parts.length === 0;
  let open: Open | undefined;
  const begin = (): Open => {
    const entry: Open = { heads: [], body: [], period: undefined };
    entries.push(entry);
    return entry;
  };
  for (const whole of lines) {
    if (whole.isBullet) {
      open ??= begin();
      open.body.push(whole);
      continue;
    }
    const { line, period } = isTold(whole) ? { line: whole, period: undefined } : withoutPeriod(whole);
    const isNext = isDatesFirst && line.parts.length === 0 && (open?.heads.length ?? 0) > 0;
    if (open === undefined || isNext || startsEntry(open, line, period)) open = begin();
    if (period !== undefined) open.period ??= period;
    if (line.parts.length === 0) continue;
    if (open.body.length > 0 || isTold(line)) open.body.push(line);
    else open.heads.push(line);
  }
  return entries.map(({ heads, body, period }) => ({
    heads,
    body,
    period: period ?? { start: "", end: "" },
  }));
}

/** Entries of a list of which each line is one, such as certificates. */
export function entryPerLine(lines: readonly Line[]): EntryLines[] {
  return lines.map((whole) => {
    const { line, period } = withoutPeriod(whole);
    return { heads: line.parts.length === 0 ? [] : [line], body: [], period: period ?? { start: "", end: "" } };
  });
}
