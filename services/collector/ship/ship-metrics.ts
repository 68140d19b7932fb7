import { Counter, type Registry } from "prom-client";

export type ShipMetrics = {
  shippedRows: Counter<"head">;
  failedAttempts: Counter<"outcome">;
  duplicates: Counter;
  repairedParts: Counter;
  refusedRows: Counter<"head">;
  damagedRecords: Counter;
};

/** What an operator watches of shipping, beside the backlog. */
export function createShipMetrics(registry: Registry): ShipMetrics {
  const registers = [registry];
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
  ): Counter<Label> => new Counter({ name, help, labelNames, registers });
  return {
    shippedRows: counter("collector_shipped_rows_total", "Rows stored in ClickHouse", ["head"]),
    failedAttempts: counter("collector_ship_failures_total", "Attempts that failed", ["outcome"]),
    duplicates: counter("collector_duplicates_total", "Events sent again and dropped", []),
    repairedParts: counter(
      "collector_repaired_parts_total",
      "Parts that ClickHouse had acknowledged and lost in a crash",
      [],
    ),
    refusedRows: counter("collector_quarantined_rows_total", "Rows set aside", ["head"]),
    damagedRecords: counter("collector_damaged_records_total", "Spool records with damage", []),
  };
}
