/** Controls but tab and line feed (Unicode category Cc), and the separators that also end a line. */
const controls = /[^\P{Cc}\t\n]/gu;
/** Embeddings, overrides and isolates: with them text can show itself in another order than it is. */
const directionOverrides = /[\u202A-\u202E\u2066-\u2069]/g;
const lineEnds = /\r\n?|[\u2028\u2029\u0085]/g;

/** Text from outside, with nothing in it that a reader cannot see but a mail program would obey. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(lineEnds, "\n")
    .replace(controls, "")
    .replace(directionOverrides, "");
}

/** The same on one line, without space at its ends. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, " ").trim();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** At most so many characters; what is longer ends in an ellipsis, never within a visible sign. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, charsMax + 1))) {
    if (index + segment.length > charsMax - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
