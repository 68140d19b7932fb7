/** Text of one appearance. */
export type Span = {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly link: string | null;
};

/** Between two texts. */
export const space: Span = { text: " ", bold: false, italic: false, link: null };

/** A heading, paragraph or list item of a file, in the order in which it is read. */
export type Line = {
  /** What stands apart in it: by a tab, a wide gap, or in cells of a row. None is empty. */
  readonly parts: readonly (readonly Span[])[];
  readonly isBullet: boolean;
  /** 0 for running text; the higher, the more it stands out. Titles of the same kind have the same rank. */
  readonly rank: number;
  /** More space above than between lines of the same paragraph. */
  readonly isApart: boolean;
  /** Where it is in the file, for findings: `page 2`, `paragraph 14`. */
  readonly path: string;
};

export const textOfPart = (part: readonly Span[]): string =>
  part
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

/** All parts, one after another. */
export const textOf = ({ parts }: Pick<Line, "parts">): string => parts.map(textOfPart).join(" ");

const isSame = (one: Span, other: Span): boolean =>
  one.bold === other.bold && one.italic === other.italic && one.link === other.link;

/** The spans with neighbours of the same appearance joined, and none that is empty. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (span.text === "") continue;
    if (last !== undefined && isSame(last, span))
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    else joined.push(span);
  }
  return joined;
}

const heading = /[\p{L}\p{N}]/u;

/** Parts that have a character of an alphabet or a digit. */
export const statedParts = (parts: readonly (readonly Span[])[]): (readonly Span[])[] =>
  parts.filter((part) => heading.test(textOfPart(part)));

const latinCapitals = /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*\p{Lu}[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u;

/** The rank of a line that is no heading: larger, bold or in capitals. @param size in relation to that of the text */
export function rankOf(parts: readonly (readonly Span[])[], size: number): number {
  const spans = parts[0] ?? [];
  const isBold =
    spans.some(({ text }) => heading.test(text)) &&
    spans.every(({ bold, text }) => bold || !heading.test(text));
  const larger = Math.max(0, Math.round((size - 1) * 10));
  return larger + (isBold ? 0.5 : 0) + (latinCapitals.test(textOf({ parts })) ? 0.25 : 0);
}
