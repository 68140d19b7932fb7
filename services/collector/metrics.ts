import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { countersHead, eventsHead, opensHead, viewingsHead } from "./ship/tables.ts";

/** What waits in the spool for ClickHouse at this moment. */
export type BacklogFacts = {
  /** Acknowledged bytes that are not in ClickHouse yet. */
  bytes: number;
  segments: number;
  /** Age of the oldest waiting segment. */
  oldestMs: number;
  /** False while ClickHouse does not store what is shipped. */
  shipping: boolean;
};

const secondsBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const questionsBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The collector's metrics, in a registry of its own. Labels are closed sets: never input. */
export function createCollectorMetrics(backlog: () => BacklogFacts) {
  const registry = new Registry();
  const counter = countersOf(registry);
  const histogram = (name: string, help: string, buckets: number[]): Histogram =>
    new Histogram({ name: `collector_${name}`, help, buckets, registers: [registry] });
  addBacklogGauges(registry, backlog);
  const drops = counter("drops_total", "Records refused, by reason", ["reason"]);
  // A count that begins at its first drops rises from nothing, which no rule sees.
  drops.inc({ reason: "spool_full" }, 0);
  return {
    registry,
    requests: counter(
      "requests_total",
      "Calls by route and result (stored, counted, answered, or the problem's code)",
      ["route", "outcome"],
    ),
    drops,
    verdicts: counter("bot_reasons_total", "Reasons for which events were marked as automated", [
      "reason",
    ]),
    gateQuestions: histogram(
      "consent_gate_batch_questions",
      "Questions answered by one query of the consent gate",
      questionsBuckets,
    ),
    gateSeconds: histogram(
      "consent_gate_seconds",
      "Duration of one query of the consent gate",
      secondsBuckets,
    ),
    commitSeconds: histogram(
      "spool_commit_seconds",
      "Duration of one commit: the write and sync of all records that wait for it",
      secondsBuckets,
    ),
  };
}
export type CollectorMetrics = ReturnType<typeof createCollectorMetrics>;

/** Metrics of shipping, beside the backlog. */
export function createShipMetrics(registry: Registry) {
  const counter = countersOf(registry);
  const refusedRows = counter("quarantined_rows_total", "Rows kept in quarantine", ["head"]);
  for (const { name } of [eventsHead, countersHead, opensHead, viewingsHead]) {
    refusedRows.inc({ head: name }, 0);
  }
  return {
    shippedRows: counter("shipped_rows_total", "Rows stored in ClickHouse", ["head"]),
    failedAttempts: counter("ship_failures_total", "Attempts that failed", ["outcome"]),
    drops: counter("shipped_drops_total", "Events sent again and dropped, or stored with a mark", [
      "reason",
    ]),
    repairedParts: counter(
      "repaired_parts_total",
      "Parts that ClickHouse had acknowledged and lost in a crash",
      [],
    ),
    refusedRows,
    damagedRecords: counter("damaged_records_total", "Spool records with damage", []),
  };
}
export type ShipMetrics = ReturnType<typeof createShipMetrics>;

function countersOf(registry: Registry) {
  return <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `collector_${name}`, help, labelNames, registers: [registry] });
}

function addBacklogGauges(registry: Registry, backlog: () => BacklogFacts): void {
  const gauge = (name: string, help: string, read: (facts: BacklogFacts) => number): void => {
    const made: Gauge = new Gauge({
      name: `collector_${name}`,
      help,
      registers: [registry],
      collect: () => made.set(read(backlog())),
    });
  };
  gauge("spool_backlog_bytes", "Acknowledged bytes that are not in ClickHouse yet", (f) => f.bytes);
  gauge("spool_backlog_segments", "Segments waiting to be shipped", (f) => f.segments);
  gauge(
    "spool_backlog_oldest_seconds",
    "Age of the oldest waiting segment",
    (f) => f.oldestMs / 1000,
  );
  gauge("shipping", "1 while ClickHouse stores what is shipped, else 0", (f) =>
    f.shipping ? 1 : 0,
  );
}
