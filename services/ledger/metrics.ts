import type { Sql } from "@pro-talent/platform/postgres/pool";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

import type { AppendObservation } from "./event-store/event-store.ts";

export type LedgerMetrics = {
  readonly registry: Registry;
  readonly observeAppend: (observation: AppendObservation) => void;
};

/** The ledger's numbers: what was appended, how long it took, how far projections are behind. */
export function createLedgerMetrics(sql: Sql): LedgerMetrics {
  const registry = new Registry();
  const appends = new Counter({
    name: "ledger_append_events_total",
    help: "Events of append calls, by event type and outcome of the call.",
    labelNames: ["type", "outcome"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "ledger_append_seconds",
    help: "Duration of append calls, by outcome.",
    labelNames: ["outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const lag = new Gauge({
    name: "ledger_projection_lag_events",
    help: "Recorded events that an asynchronous projection has not seen yet.",
    labelNames: ["projection"],
    registers: [registry],
    collect: async () => {
      for (const { projection, behind } of await readLag(sql)) lag.set({ projection }, behind);
    },
  });
  return {
    registry,
    observeAppend: ({ types, outcome, seconds: duration }) => {
      for (const type of types) appends.inc({ type, outcome });
      seconds.observe({ outcome }, duration);
    },
  };
}

async function readLag(sql: Sql): Promise<{ projection: string; behind: number }[]> {
  return await sql<{ projection: string; behind: number }[]>`
    select c.projection, h.pos - c.pos as behind from ledger.checkpoint c, ledger.head h`;
}
