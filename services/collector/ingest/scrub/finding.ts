/** A part of a text that may not be stored, and the mark that replaces it. */
export type Finding = { from: number; to: number; mark: string };

/**
 * Finds personal data or secrets in a plain text, in time linear in its length.
 * @param before what the text is about: the name of its field, or nothing
 */
export type Finder = (text: string, before: string) => Iterable<Finding>;

/** Every match of a global pattern that is accepted. The pattern must not backtrack far. */
export function* matches(
  mark: string,
  text: string,
  pattern: RegExp,
  accept: (match: string, index: number) => boolean = () => true,
): Iterable<Finding> {
  for (const { 0: match, index } of text.matchAll(pattern))
    if (accept(match, index)) yield { mark, from: index, to: index + match.length };
}
