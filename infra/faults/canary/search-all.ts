import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { collectCandidates, openCandidates } from "../sealed-candidates.ts";
import { blindPlaces, plantDecoys } from "./decoys.ts";
import { allKeys, type Instance } from "./instance.ts";
import { searchClickhouse, searchFiles, searchPostgres, WordSearch } from "./stores.ts";
import type { Subject } from "./subject.ts";

/** What a search of everything has found. */
export type Searched = {
  /** Where words of the canary are, and of which fields. */
  readonly places: readonly { readonly place: string; readonly fields: readonly string[] }[];
  /** Files that hold something sealed of the canary, and a key that opens it. */
  readonly opened: ReadonlySet<string>;
  /** Stores in which the decoy was not found. */
  readonly blind: readonly string[];
  readonly decoys: number;
};

/** Where caught mails are: the mailboxes of their recipients, which no erasure of a sender reaches. */
const ofRecipients = "mail";

/**
 * Searches files and rows of every store for the words of the canary, and tries all keys that exist on
 * everything that may be sealed.
 * @param ids of the keys that may open nothing
 */
export async function searchAll(
  instance: Instance,
  canary: Subject,
  ids: readonly string[],
): Promise<Searched> {
  const { dataDir, sql, clickhouse } = instance;
  const decoys = await plantDecoys(instance, `decoy${randomBytes(8).toString("hex")}`);
  const search = new WordSearch([...canary.words.fields.keys(), decoys.word]);
  try {
    await searchFiles(search, dataDir);
    await searchPostgres(search, sql);
    await searchClickhouse(search, clickhouse);
  } finally {
    await decoys.remove();
  }
  const cluster = join(dataDir, "postgres", "cluster");
  const opened = openCandidates(
    await collectCandidates([cluster], []),
    await allKeys(dataDir),
    ids,
  );
  const fieldsAt = new Map<string, Set<string>>();
  for (const [word, places] of search.found) {
    const field = canary.words.fields.get(word);
    if (field === undefined) continue;
    for (const place of places)
      fieldsAt.set(place, (fieldsAt.get(place) ?? new Set<string>()).add(field));
  }
  fieldsAt.delete(ofRecipients);
  return {
    places: [...fieldsAt].map(([place, fields]) => ({ place, fields: [...fields] })),
    opened: new Set(opened.flatMap(({ places }) => [...places])),
    blind: blindPlaces(decoys, search),
    decoys: decoys.places.length,
  };
}

/** Of a report. */
export const placesText = ({ places, opened }: Searched): string =>
  [
    places.map(({ place, fields }) => `${place} (${fields.join(", ")})`).join("; ") || "no word",
    opened.size === 0 ? "nothing opens" : `opens in ${[...opened].join(", ")}`,
  ].join("; ");
