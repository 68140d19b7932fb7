import { z } from "zod";

import { Searched, Traces } from "../primitives/traces.ts";

/** The step of an erasure that searches every store for what was erased; the subject's key goes after it. */
export const searchStep = "search";

/**
 * Searched stores, by the names that stay in the evidence for ever. `ledger-service` and the like stand
 * for all stores of a service that did not answer.
 */
export const searchedStores = [
  "ledger",
  "queue",
  "files",
  "logs",
  "accounts",
  "accounts-service",
  "studio",
  "studio-service",
  "analytics-postgres",
  "clickhouse",
  "spool",
  "analytics-service",
] as const;

/** What was found in one store. */
export const SearchedStore = Searched.extend({ store: z.enum(searchedStores) });
export type SearchedStore = z.infer<typeof SearchedStore>;

/** How much was searched for: after the key is destroyed, ids alone. */
export const SearchedFor = z.object({
  values: z.int().nonnegative(),
  ids: z.int().nonnegative(),
});

/** Of a call that searches the stores of one service. */
export const searchCall = {
  access: "internal",
  body: Traces,
  bodyBytesMax: 4 * 1024 * 1024,
  answer: z.object({ stores: z.array(SearchedStore) }),
} as const;

/** Clean: every store was searched, with its decoy found, and holds nothing. */
export const verdictOf = (stores: readonly SearchedStore[]): "hit" | "unknown" | "clean" => {
  if (stores.some(({ hits }) => hits > 0)) return "hit";
  return stores.length === 0 || stores.some(({ decoy }) => !decoy) ? "unknown" : "clean";
};

/** A shorter word is part of much that says nothing about the person. */
const distinctCharsMin = 8;

/** Whether a word names one person alone, so that finding it anywhere says that something is left. */
export const isDistinct = (word: string): boolean =>
  word.trim().length >= distinctCharsMin && !/^[a-z]{1,12}$/iu.test(word.trim());

/**
 * Events of the search of one erasure (`search-<requestId>`). What is searched for is sealed with the first
 * under a key of its own, which is destroyed with the last.
 */
export const SearchEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("SearchPrepared"), data: z.object({}) }),
  z.object({ type: z.literal("SearchEnded"), data: z.object({}) }),
]);
export type SearchEvent = z.infer<typeof SearchEvent>;
