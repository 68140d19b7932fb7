/** A word or phrase that the product does not use, and what it says instead. */
type Unused = { pattern: RegExp; instead: string };
export type Vocabulary = {
  /** Single words. One in small letters is meant in any case, a capitalised one only so. */
  words: ReadonlyMap<string, string>;
  phrases: readonly Unused[];
  allowed: readonly RegExp[];
};

/** One word of a text or of a name: `layGround` has two, `HTTPServer` too. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu;
/** What may be between the words of a phrase: also the beginning of a comment's next line. */
const GAP = String.raw`[\s*/#_-]{0,20}`;

const phrase = (text: string): RegExp =>
  new RegExp(String.raw`\b${text.split(" ").join(GAP)}s?\b`, "giu");
const exact = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`), "gu");

/** Finds an object key (`put:`), the beginning of a SQL name (`put_`) or a phrase. */
function patternOf(term: string): RegExp {
  const name = term.slice(0, -1);
  // In prose a colon may follow the same word: a key is the first thing of its line or member.
  if (term.endsWith(":"))
    return new RegExp(String.raw`(?<=(?:^|[{,;(])\s*["']?)${name}["']?\??:`, "gmu");
  if (term.endsWith("_")) return new RegExp(String.raw`\b${name}_(?=\w)`, "gu");
  return phrase(term);
}

/**
 * Reads the table below the heading "Words not used" of the glossary.
 * @throws when there is no such table
 */
export function readVocabulary(glossary: string): Vocabulary {
  const [, section = ""] = glossary.split(/^## Words not used$/mu);
  const cells = section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, first]) => first !== "not used" && !first?.startsWith("---"));
  if (cells.length === 0) throw new Error("The glossary has no table of words not used.");
  const list = (cell = ""): string[] => cell.split(", ").filter((term) => term !== "");
  const terms = cells.flatMap(([, unused, instead = ""]) =>
    list(unused).map((term) => ({ term, instead })),
  );
  const isWord = ({ term }: { term: string }): boolean => /^\p{L}+$/u.test(term);
  return {
    words: new Map(terms.filter(isWord).map(({ term, instead }) => [term, instead])),
    phrases: terms
      .filter((entry) => !isWord(entry))
      .map(({ term, instead }) => ({ pattern: patternOf(term), instead })),
    allowed: cells.flatMap(([, , , allowed]) =>
      list(allowed).map((term) => (term.startsWith("`") ? exact(term.slice(1, -1)) : phrase(term))),
    ),
  };
}

/** Where a text, or the name of its file, has a word that is not used. */
export function vocabularyProblems(vocabulary: Vocabulary, path: string, text: string): string[] {
  const { words, phrases, allowed } = vocabulary;
  // The path goes first, as line 0; what is allowed is blanked, line by line.
  const blank = (found: string): string => found.replaceAll(/\S/gu, " ");
  const rest = allowed.reduce((left, term) => left.replaceAll(term, blank), `${path}\n${text}`);
  const found = [...rest.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const instead = words.get(word) ?? words.get(word.toLowerCase());
    return instead === undefined ? [] : [{ word, index, instead }];
  });
  for (const { pattern, instead } of phrases) {
    for (const { 0: word, index } of rest.matchAll(pattern)) found.push({ word, index, instead });
  }
  return found.map(({ word, index, instead }) => {
    const line = rest.slice(0, index).split("\n").length - 1;
    return `${path}:${line}: "${word.replaceAll(/\s+/gu, " ")}" is not used; instead: ${instead}`;
  });
}
