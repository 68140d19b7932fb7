const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Half a word is dropped when it is no longer than this; longer ones are cut. */
const wordCharsMax = 64;

/**
 * A text of at most `charsMax` UTF-16 units: its beginning, never ending inside a character, an
 * accent or an emoji's parts. A word that would be split is left out, as half an e-mail address or
 * telephone number is not recognised as one when the text is scrubbed.
 */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const nearby = text.slice(0, charsMax + 256);
  const boundary = graphemes.segment(nearby).containing(charsMax)?.index ?? 0;
  // One "character" longer than all that is kept: only pairs of surrogates stay together.
  if (boundary === 0) return text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "");
  const kept = text.slice(0, boundary);
  if (/^\s/.test(text.slice(boundary))) return kept;
  const word = kept.length - kept.search(/\S*$/);
  return word > wordCharsMax || word === kept.length ? kept : kept.slice(0, kept.length - word);
}
