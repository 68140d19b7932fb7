import { type Line, statedParts, textOf, textOfPart } from "./lines.ts";
import { type Period, periodIn } from "./periods.ts";

/** The lines of one entry: those that say what it is, and the text about it. */
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

/** A line of more characters is prose, not a name. */
const headCharsMax = 140;
/** From this rank on, lines are headings by themselves. */
const headingRank = 1;

const isProse = (line: Line): boolean => {
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

/** A line that stands out below others that do: the title of another entry, not the second line of this one. */
function isNextTitle(heads: readonly Line[], { rank }: Line): boolean {
  const ranks = heads.map((head) => head.rank);
  if (rank >= headingRank && rank >= Math.max(...ranks)) return true;
  return rank > (ranks.at(-1) ?? 0) && Math.max(...ranks) > 0;
}

function startsEntry(open: Open, line: Line, period: Period | undefined): boolean {
  const isDated = period !== undefined;
  if (open.body.length > 0) return line.rank > 0 || isDated || (line.isApart && !isProse(line));
  if (isDated && open.period !== undefined) return true;
  const isDatesAlone = isDated && line.parts.length === 0;
  return open.heads.length > 0 && !isDatesAlone && isNextTitle(open.heads, line);
}

function datedLine(whole: Line): ReturnType<typeof withoutPeriod> {
  return isProse(whole) || whole.isBullet
    ? { line: whole, period: undefined }
    : withoutPeriod(whole);
}

/**
 * Divides the lines of a section into entries: a new one begins where a line stands out or states a period after
 * the text of another. Where dates stand in the line above a title, each of these lines begins one.
 */
export function entriesIn(lines: readonly Line[]): EntryLines[] {
  const entries: Open[] = [];
  const [top] = lines;
  const isDatesFirst = top !== undefined && datedLine(top).line.parts.length === 0;
  for (const whole of lines) {
    const { line, period } = datedLine(whole);
    let open = entries.at(-1);
    const isDates = line.parts.length === 0;
    const isNext = isDatesFirst && isDates && open !== undefined && open.heads.length > 0;
    if (open === undefined || isNext || (!line.isBullet && startsEntry(open, line, period)))
      entries.push((open = { heads: [], body: [], period: undefined }));
    open.period ??= period;
    if (!isDates) addTo(open, line);
  }
  return entries.map(({ heads, body, period }) => ({
    heads,
    body,
    period: period ?? { start: "", end: "" },
  }));
}

function addTo({ heads, body }: Open, line: Line): void {
  if (line.isBullet || body.length > 0 || isProse(line)) body.push(line);
  else heads.push(line);
}

/** Entries of a list of which each line is one, such as certificates. */
export function entryPerLine(lines: readonly Line[]): EntryLines[] {
  return lines.map((whole) => {
    const { line, period } = withoutPeriod(whole);
    return {
      heads: line.parts.length === 0 ? [] : [line],
      body: [],
      period: period ?? { start: "", end: "" },
    };
  });
}
