import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is known about the way from the spool to ClickHouse at this moment. */
export type BacklogFacts = {
  /** Acknowledged bytes that are not in ClickHouse yet. */
  bytes: number;
  segments: number;
  /** Age of the oldest waiting segment. */
  oldestMs: number;
  /** False while ClickHouse does not take what is shipped. */
  shipping: boolean;
};

const secondsBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The collector's metrics, in a registry of its own. Labels are closed sets: never input. */
export function createCollectorMetrics(backlog: () => BacklogFacts) {
  const registry = new Registry();
  const registers = [registry];
  const metrics = {
    registry,
    requests: new Counter({
      name: "collector_requests_total",
      help: "Calls by route and outcome (stored, counted, answered, or the problem's code)",
      labelNames: ["route", "outcome"] as const,
      registers,
    }),
    drops: new Counter({
      name: "collector_drops_total",
      help: "Records refused or marked, by reason",
      labelNames: ["reason"] as const,
      registers,
    }),
    verdicts: new Counter({
      name: "collector_bot_reasons_total",
      help: "Reasons for which events were marked as made by a machine",
      labelNames: ["reason"] as const,
      registers,
    }),
    gateQuestions: new Histogram({
      name: "collector_consent_gate_batch_questions",
      help: "Questions answered by one query of the consent gate",
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
      registers,
    }),
    gateSeconds: new Histogram({
      name: "collector_consent_gate_seconds",
      help: "Duration of one query of the consent gate",
      buckets: secondsBuckets,
      registers,
    }),
    commitSeconds: new Histogram({
      name: "collector_spool_commit_seconds",
      help: "Duration of one commit: the write and sync of all records that wait for it",
      buckets: secondsBuckets,
      registers,
    }),
  };
  addBacklogGauges(registry, backlog);
  return metrics;
}
export type CollectorMetrics = ReturnType<typeof createCollectorMetrics>;

function addBacklogGauges(registry: Registry, backlog: () => BacklogFacts): void {
  const gauge = (name: string, help: string, read: (facts: BacklogFacts) => number): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => made.set(read(backlog())),
    });
  };
  gauge(
    "collector_spool_backlog_bytes",
    "Acknowledged bytes that are not in ClickHouse yet",
    (facts) => facts.bytes,
  );
  gauge("collector_spool_backlog_segments", "Segments waiting to be shipped", (f) => f.segments);
  gauge(
    "collector_spool_backlog_oldest_seconds",
    "Age of the oldest waiting segment",
    (facts) => facts.oldestMs / 1000,
  );
  gauge("collector_shipping", "1 while ClickHouse takes what is shipped, else 0", (facts) =>
    facts.shipping ? 1 : 0,
  );
}
