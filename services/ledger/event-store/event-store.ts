import type { Sql } from "@pro-talent/platform/postgres/pool";

/** What happened to one append, for counters. Holds no content. */
export type AppendObservation = {
  readonly types: readonly string[];
  readonly outcome: "appended" | "replayed" | "mismatch" | "conflict" | "failed";
  readonly seconds: number;
};

/** The ledger as its users see it: a pool of connections of the role that may append. */
export type EventStore = {
  readonly sql: Sql;
  readonly observe?: (observation: AppendObservation) => void;
};
