export type Phrase = { text: string; href: string };
export type TextPart = { text: string; href: string | undefined };

/** Splits a text at its phrases, in order. The joined parts are the text. */
export function cutAtPhrases(text: string, phrases: readonly Phrase[]): TextPart[] {
  const parts: TextPart[] = [];
  let rest = text;
  for (const phrase of phrases) {
    const at = rest.indexOf(phrase.text);
    if (at === -1 || phrase.text === "") continue;
    parts.push({ text: rest.slice(0, at), href: undefined }, phrase);
    rest = rest.slice(at + phrase.text.length);
  }
  parts.push({ text: rest, href: undefined });
  return parts.filter((part) => part.text !== "");
}
