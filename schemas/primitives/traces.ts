import { z } from "zod";

/** What is searched for of a person. In memory and sealed alone: never in a log, a job or an event. */
export const Traces = z.object({
  /** Words that name one person alone, such as an address. No row may hold one. */
  values: z.array(z.string().min(1).max(2_000)).max(1_000),
  /** Ids that lead to the person. Stores keep one where the data map says why. */
  ids: z.array(z.uuid()).max(11_000),
});
export type Traces = z.infer<typeof Traces>;

/** What a search of a store has found. Numbers alone: never what was searched for. */
export const Searched = z.object({
  /**
   * Whether a value that was planted there for this search alone was found. Otherwise what the store holds
   * is unknown, whatever the numbers say.
   */
  decoy: z.boolean(),
  /** Rows, records or files that hold something of the person. */
  hits: z.int().nonnegative(),
  /** Those that hold an id of the person, which the data map lets them keep for a reason that it names. */
  kept: z.int().nonnegative(),
  /** All that were read. */
  searched: z.int().nonnegative(),
});
export type Searched = z.infer<typeof Searched>;
