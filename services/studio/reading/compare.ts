import type { Field } from "../fields.ts";

/** Whether a reader gets a text: as it is, with other words in between or characters changed, or not at all. */
export type Found = "whole" | "damaged" | "missing";
export type FieldFound = { readonly field: Field; readonly found: Found };

/** What a reader gets from a file, compared with what the file was made from. */
export type Comparison = {
  readonly fields: readonly FieldFound[];
  /** The share of words that are found anywhere, from 0 to 1. */
  readonly words: number;
  /** The share of words that are found in the order of the page, from 0 to 1. */
  readonly order: number;
};

/** Marks of direction and joiners: readers add and drop them as they like. */
const marks = /\p{Default_Ignorable_Code_Point}/gu;
const plain = (text: string): string =>
  text.replaceAll(marks, "").normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
/** Some readers put them around what runs against the direction of its line; they also end words. */
const embeddings = /[\u202A-\u202E\u2066-\u2069]/g;
/** Characters of the alphabet and digits in a row: readers put signs on either side of a word. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
/** A word that is longer than a line is continued in the next one. */
export const dividedWord = /\S{34}/u;

/** Compares the text that a reader got from a file with the fields that it was made from. */
export function compare(fields: readonly Field[], read: string): Comparison {
  const got = plain(read);
  const gotTogether = got.replaceAll(" ", "");
  const gotWords = wordsOf(plain(read.replaceAll(embeddings, " ")));
  const known = new Set(gotWords);
  const found = fields.map((field): FieldFound => {
    const text = plain(field.text);
    const isWhole =
      got.includes(text) ||
      (dividedWord.test(text) && gotTogether.includes(text.replaceAll(" ", "")));
    const words = wordsOf(text);
    const kept = words.filter((word) => known.has(word)).length;
    const damaged = kept * 2 >= words.length || gotTogether.includes(text.replaceAll(" ", ""));
    return { field, found: isWhole ? "whole" : damaged ? "damaged" : "missing" };
  });
  const source = fields.flatMap(({ text }) => wordsOf(plain(text)));
  const present = source.filter((word) => known.has(word) || gotTogether.includes(word)).length;
  return {
    fields: found,
    words: source.length === 0 ? 1 : present / source.length,
    order: source.length === 0 ? 1 : inOrder(source, gotWords) / source.length,
  };
}

/**
 * The length of the longest common subsequence of two lists of words, one bit for each word of the first
 * (Hyyrö 2004): a table of all pairs would be too large for long documents.
 */
function inOrder(source: readonly string[], read: readonly string[]): number {
  const places = new Map<string, bigint>();
  source.forEach((word, index) => {
    places.set(word, (places.get(word) ?? 0n) | (1n << BigInt(index)));
  });
  const all = (1n << BigInt(source.length)) - 1n;
  let open = all;
  for (const word of read) {
    const matches = places.get(word);
    if (matches === undefined) continue;
    const taken = open & matches;
    open = ((open + taken) | (open - taken)) & all;
  }
  return source.length - (open.toString(2).match(/1/g)?.length ?? 0);
}
