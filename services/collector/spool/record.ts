import type { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";

/** What the collector acknowledges: one row of `events` or of `counters_daily`. */
export type SpoolRecord =
  | {
      kind: "event";
      row: EventRow;
      /** True when the client made the event id: duplicates are settled before shipping. */
      claim: boolean;
    }
  | { kind: "counter"; row: CounterRow };
