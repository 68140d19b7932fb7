import { randomUUID } from "node:crypto";

import type { Searched, Traces } from "@pro-talent/schemas/primitives/traces";

import { type Pattern, patternBytesMin, patternSearch } from "./pattern-search.ts";
import { spellingsOf } from "./spellings.ts";

/** What one search has found in a store. */
export type Found = Searched;

/** A pattern leads to a search of a batch, by a word that no row may hold or by an id. */
type Meaning = { readonly search: number; readonly by: "value" | "id" };

/** A value that no store can hold by chance, with signs that encodings change. */
export const newDecoy = (): string => `decoy ${randomUUID()} דוגמה@decoy.example`;

const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

/** Every way in which stores may hold the ids and words of some searches. */
function patternsOf(searches: readonly Traces[]): Pattern<Meaning>[] {
  return searches.flatMap(({ values, ids }, search) => [
    ...patternsOfValues(values, { search, by: "value" } as const),
    ...ids.flatMap((id) =>
      [...textsOfId(id).map((text) => Buffer.from(text)), bytesOfId(id)].map((bytes) => ({
        bytes,
        meaning: { search, by: "id" } as const,
      })),
    ),
  ]);
}

const textsOfId = (id: string): string[] =>
  [id, id.replaceAll("-", "")].flatMap((text) => [text.toLowerCase(), text.toUpperCase()]);

const patternsOfValues = <M>(values: readonly string[], meaning: M): Pattern<M>[] =>
  values
    .flatMap(spellingsOf)
    .map((text) => ({ bytes: Buffer.from(text), meaning }))
    .filter(({ bytes }) => bytes.length >= patternBytesMin);

/** What some searches find in a store, and whether all that was planted there is found. */
export type Tally = {
  /** Adds a row, record or file, which counts once for each search, whatever it holds of it. */
  readonly add: (data: Buffer, where?: { readonly keepsIds: boolean }) => void;
  /** What each search has found, in their order. */
  readonly found: () => Found[];
};

/** @param decoys values that were planted for these searches */
export function tallyOf(searches: readonly Traces[], decoys: readonly string[]): Tally {
  const find = patternSearch<Meaning | string>([
    ...patternsOf(searches),
    ...decoys.flatMap((decoy) => patternsOfValues([decoy], decoy)),
  ]);
  const counts = searches.map(() => ({ hits: 0, kept: 0 }));
  const seen = new Set<string>();
  let searched = 0;
  return {
    add: (data, { keepsIds } = { keepsIds: false }) => {
      searched += 1;
      const ways = new Map<number, Meaning["by"]>();
      for (const meaning of find(data)) {
        if (typeof meaning === "string") seen.add(meaning);
        else if (meaning.by === "value" || !ways.has(meaning.search))
          ways.set(meaning.search, meaning.by);
      }
      for (const [search, by] of ways) {
        const count = counts[search];
        if (count === undefined) continue;
        if (by === "id" && keepsIds) count.kept += 1;
        else count.hits += 1;
      }
    },
    found: () =>
      counts.map((count) => ({ ...count, searched, decoy: seen.size === decoys.length })),
  };
}
