/**
 * The records of the spool, with the fields that they have besides those of a ClickHouse table, as
 * `<class>: <purpose>`.
 * @internal used by the check of all stored data alone
 */
export const spoolAssets = {
  "event record": {
    about:
      "Acknowledged events before they are in ClickHouse, with the fields of `events`. Kept: until ClickHouse has them: seconds, or as long as it is unavailable",
    fields: {
      kind: "operational: Kind of the record",
      claim: "operational: Whether the client made the event id",
    },
  },
  "counter record": {
    about:
      "Counters before they are in ClickHouse, with the fields of `counters_daily`. Kept: as event records",
    fields: { kind: "operational: Kind of the record" },
  },
  "quarantined record": {
    about:
      "Records that ClickHouse cannot read or that the disk damaged, with the fields of `events`. Kept: until an operator has corrected them, at most 30 days",
    fields: {
      kind: "operational: Kind of the record",
      claim: "operational: Whether the client made the event id",
    },
  },
};
