import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";

/** By what a query came: the product's pages, or a program with an access token. */
export const queryChannels = ["console", "program"] as const;

/**
 * What became of a query. `shown`: its result was complete; `refused`: it asked for what it may not; `wrong`:
 * the engine could not understand it; `limited`: it went beyond a limit; `cancelled`; `failed`: a fault of ours;
 * `begun`: its result is on its way, or nothing is known of its end; `broken`: its result was left unfinished.
 */
export const queryOutcomes = [
  "shown",
  "refused",
  "wrong",
  "limited",
  "cancelled",
  "failed",
  "begun",
  "broken",
] as const;

/** Forms of a result: rows to be shown, at once or one by one, files, and other formats of ClickHouse. */
export const queryFormats = ["json", "ndjson", "csv", "parquet", "rows", "other"] as const;
export type QueryFormat = (typeof queryFormats)[number];

const Count = z.int().nonnegative();

/** What the ledger states of a query, free of its text. */
export const QueryFacts = z.object({
  analystId: Uuid,
  channel: z.enum(queryChannels),
  /** Views that it names; of a refused or wrong query those that were found before. */
  views: z.array(z.string()),
  format: z.enum(queryFormats),
  outcome: z.enum(queryOutcomes),
  /** Code of the problem that was answered. */
  problem: z.string().nullable(),
  /** Null where the engine does not state it. */
  rowsRead: Count.nullable(),
  resultBytes: Count,
  milliseconds: Count,
});
export type QueryFacts = z.infer<typeof QueryFacts>;

/** How a result ended that was sent as it came. */
export const QueryEnd = QueryFacts.pick({
  problem: true,
  rowsRead: true,
  resultBytes: true,
  milliseconds: true,
}).extend({ outcome: z.enum(["shown", "limited", "cancelled", "failed", "broken"]) });
export type QueryEnd = z.infer<typeof QueryEnd>;

/** What was sealed beside a query. */
export const QueryText = z.object({
  text: z.string(),
  parameters: z.record(z.string(), z.string()),
});
export type QueryText = z.infer<typeof QueryText>;

/** Events of a query's stream (`analystquery-<queryId>`), free of personal data. */
export const AnalystQueryEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("AnalystQueryRun"),
    /** `textHash`: keyed, in hexadecimal, so that equal queries are known and none is guessed. */
    data: QueryFacts.extend({ textHash: z.string() }),
  }),
  z.object({ type: z.literal("AnalystQueryEnded"), data: QueryEnd }),
  z.object({ type: z.literal("QueryTextRead"), data: z.object({ officerId: Uuid }) }),
  z.object({ type: z.literal("QueryTextErased"), data: z.object({}) }),
]);
export type AnalystQueryEvent = z.infer<typeof AnalystQueryEvent>;
