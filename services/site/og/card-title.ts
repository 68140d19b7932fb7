const graphemesMax = 120;
/** More than 120 graphemes with all their marks can need; the rest is not read. */
const charactersRead = 4000;

/** What the product's typefaces lack: it would be drawn as empty boxes. */
const unset =
  /[^\u0020-\u007e\u00a0-\u00ff\u05be\u05d0-\u05ea\u05f3\u05f4\u20aa\u20ac\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]/gu;
/** Soft hyphens are invisible in text and visible in a picture. */
const invisible = /[\u00ad\p{Cf}\p{Mn}]/gu;
const blank = /[\s\p{Cc}]+/gu;
const strong = /\p{L}/u;
const hebrewLetter = /[\u05d0-\u05ea]/u;

export type CardTitle = { text: string; graphemes: number; direction: "ltr" | "rtl" };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function cut(text: string): { text: string; graphemes: number } {
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  if (graphemes.length <= graphemesMax) return { text, graphemes: graphemes.length };
  const kept = graphemes
    .slice(0, graphemesMax - 1)
    .join("")
    .trimEnd();
  return { text: `${kept}…`, graphemes: graphemesMax };
}

/**
 * The title as it is drawn. Any input becomes one line of text: no control characters, no direction
 * overrides, no characters that the typefaces lack, at most 120 graphemes. Direction is that of the
 * first letter. `fallback` is used when nothing is left.
 */
export function cardTitle(given: string | undefined, fallback: string): CardTitle {
  const clean = (given ?? "")
    .slice(0, charactersRead)
    .normalize("NFC")
    .replace(blank, " ")
    .replace(invisible, "")
    .replace(unset, "")
    .replace(/ {2,}/gu, " ")
    .trim();
  const first = strong.exec(clean)?.[0];
  const title = cut(clean === "" ? fallback : clean);
  return { ...title, direction: first !== undefined && hebrewLetter.test(first) ? "rtl" : "ltr" };
}
