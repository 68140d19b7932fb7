import { replacementSign } from "../faces.ts";
import type { Outline } from "../outline.ts";

/** Longer words may be wider than a line. */
const wordCharsMax = 34;
const partChars = 12;
const longWord = new RegExp(`\\S{${wordCharsMax},}`, "gu");
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Parts of a long word, between which a line may end. The template shows nothing for what divides them. */
function divide(word: string): string {
  let parts = "";
  let chars = 0;
  for (const { segment } of graphemes.segment(word)) {
    if (chars >= partChars) {
      parts += "\u200B";
      chars = 0;
    }
    parts += segment;
    chars += segment.length;
  }
  return parts;
}

/**
 * In a line from right to left, a number before a Latin word would be shown behind it, and the signs of
 * `C++` before it. A mark of direction in front or behind keeps them together; likewise the dots of `.NET` and `B.Sc.`.
 */
function keepTogether(text: string): string {
  return text
    .replaceAll(/(?<![\p{L}\p{N}.$€£₪])(?=[$€£₪]?\d[\d.,]*\s?[A-Za-z°])/gu, "\u200E")
    .replaceAll(/(?<=(?:[A-Za-z]+\.){2,})(?![A-Za-z])/g, "\u200E")
    .replaceAll(/(?<=[A-Za-z][+#]+)(?![+#A-Za-z])/g, "\u200E")
    .replaceAll(/(?<![\p{L}\p{N}])(?=\.[A-Za-z])/gu, "\u200E");
}

/** Applied to every string of a value, wherever it is, but not to addresses. */
function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]: [string, unknown]) => [
      key,
      key === "href" || key === "link" || key === "id"
        ? keepLink(item, change)
        : mapTexts(item, change),
    ]),
  );
}

/** The link of an entry has a text beside its address; that of a run is an address. */
function keepLink(item: unknown, change: (text: string) => string): unknown {
  return typeof item === "string" ? item : mapTexts(item, change);
}

/**
 * An outline as it is handed to the engine.
 * @param missing characters that no typeface of the document has
 */
export function textForPages(outline: Outline, missing: readonly string[]): Outline {
  const absent = new Set(missing);
  const change = (text: string): string => {
    const shown = Array.from(text, (sign) => (absent.has(sign) ? replacementSign : sign)).join("");
    const whole = outline.language === "he" ? keepTogether(shown) : shown;
    return whole.replaceAll(longWord, divide);
  };
  return mapTexts(outline, change);
}
