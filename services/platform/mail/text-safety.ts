/** Controls but tab and line feed (Unicode category Cc), and the separators that also end a line. */
const controls = /[^\P{Cc}\t\n]/gu;
/** Embeddings, overrides and isolates: with them text is displayed in another order than it has. */
const directionOverrides = /[\u202A-\u202E\u2066-\u2069]/g;
const lineEnds = /\r\n?|[\u2028\u2029\u0085]/g;

/** Text from outside, without characters that are invisible but that mail programs obey. */
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

/** At most so many UTF-16 units; what is longer ends in an ellipsis, never within a grapheme. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, charsMax + 1))) {
    if (index + segment.length > charsMax - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Longer subject lines are cut off by mail programs anyway. */
export const subjectCharsMax = 200;

/** A mail's subject line as a header can hold it: one line without invisible characters. */
export function subjectLine(subject: string): string {
  return shortened(visibleLine(subject), subjectCharsMax);
}

/** Bytes of text in one encoded word: with its frame it is at most 75 characters (RFC 2047 §2). */
const wordBytesMax = 45;

/** Text as encoded words (RFC 2047), whatever its characters are. */
export function encodedWords(text: string): string {
  const words: string[] = [""];
  for (const character of text.toWellFormed()) {
    const longer = `${words.at(-1) ?? ""}${character}`;
    if (Buffer.byteLength(longer) > wordBytesMax) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as content or as a quoted attribute of HTML: never a tag, never the end of the attribute. */
export function escapeHtml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The same, with its lines as lines. */
export function escapeLines(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

/**
 * A web or mail address in its canonical form, which is ASCII without spaces, quotes or brackets.
 * @throws {TypeError} when it is anything else, such as a script
 */
export function linkTarget(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^(?:https?|mailto):$/.test(parsed.protocol)) {
    throw new TypeError("A link in a mail leads to a web or mail address.");
  }
  return parsed.href;
}
