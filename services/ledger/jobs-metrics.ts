import type { Sql } from "@pro-talent/platform/postgres/pool";
import { Counter, Gauge, type Registry } from "prom-client";

import type { ObserveDelivery } from "./outbox/deliver.ts";

export type LedgerJobsMetrics = {
  readonly onDelivery: ObserveDelivery;
  readonly onGivenUp: (name: string) => void;
};

/** What becomes of messages and timers, in the registry of the host. Labels are names of the code. */
export function createLedgerJobsMetrics(sql: Sql, registry: Registry): LedgerJobsMetrics {
  const messages = new Counter({
    name: "ledger_messages_total",
    help: "Messages of the outbox, by name and outcome (delivered, failed attempt, given up)",
    labelNames: ["message", "outcome"] as const,
    registers: [registry],
  });
  gaugeOf(registry, {
    name: "ledger_outbox_oldest_seconds",
    help: "Age of the oldest message that is neither delivered nor given up",
    read: () => oldestSeconds(sql),
  });
  gaugeOf(registry, {
    name: "ledger_timers_behind",
    help: "Timers that are due and have not fired",
    read: () => timersBehind(sql),
  });
  return {
    onDelivery: ({ name, outcome }) => messages.inc({ message: name, outcome }),
    onGivenUp: (name) => messages.inc({ message: name, outcome: "given_up" }),
  };
}

/** Asked for when the metrics are read. */
function gaugeOf(
  registry: Registry,
  { name, help, read }: { name: string; help: string; read: () => Promise<number> },
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => gauge.set(await read()),
  });
}

async function oldestSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(added_at)), 0)::float8 as seconds
      from ledger.outbox where done_at is null and given_up_at is null`;
  return row?.seconds ?? 0;
}

async function timersBehind(sql: Sql): Promise<number> {
  const [row] = await sql<{ behind: number }[]>`
    select count(*) as behind from ledger.due_timer
     where fired_at is null and due_at <= clock_timestamp()`;
  return row?.behind ?? 0;
}
