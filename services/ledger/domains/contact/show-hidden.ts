/**
 * Control characters, and those that change the direction of what follows them: both can make a
 * text look like another one. The direction marks of Hebrew texts (U+200E, U+200F) move no words and
 * stay.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;
const hiddenButLineEnds = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

function named(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `⟦U+${code}⟧`;
}

/** Text from outside in one line, with hidden characters shown by their number. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, named);
}

/** The same for a text of several lines. */
export function showHiddenInLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(hiddenButLineEnds, named);
}
