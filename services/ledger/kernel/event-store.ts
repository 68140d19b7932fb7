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
  /**
   * When facts are on disk: with each append, or before a command is answered. The latter lets the
   * next append begin while the disk is at work, so that many wait for it together; in return others
   * may see a fact some milliseconds before it is safe from a power cut. Not for facts on which
   * another store acts at once, such as consent.
   */
  readonly durable?: "with each append" | "before the answer";
};
