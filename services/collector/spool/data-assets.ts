/**
 * The records of the spool. A record has the fields of its ClickHouse tables, with their classes,
 * and those listed here as `<class>: <purpose>`.
 * @internal used by the check of all stored data alone
 */
export const spoolAssets = [
  {
    name: "event record",
    tables: ["events"],
    purpose: "Acknowledged events that ClickHouse does not have yet",
    kept: "until ClickHouse has it: seconds, or as long as ClickHouse is unavailable",
    fields: { claim: "operational: Whether the client made the event id" },
  },
  {
    name: "counter record",
    tables: ["counters_daily"],
    purpose: "Counters that ClickHouse does not have yet",
    kept: "until ClickHouse has it",
    fields: {},
  },
  {
    name: "quarantined segment",
    tables: ["events", "counters_daily"],
    purpose:
      "Event and counter records that ClickHouse cannot read, or that the disk damaged, for an operator",
    kept: "until an operator removes it",
    fields: {},
  },
] as const;
