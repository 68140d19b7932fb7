import type { Sql } from "@pro-talent/platform/postgres/pool";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import type { AppendObservation } from "./append.ts";
import type { ObserveDelivery } from "./outbox.ts";
import type { StreamKind } from "./stream-kinds.ts";

/** Counts appends; labels are event types and closed sets. */
export function countAppends(registry: Registry): (observation: AppendObservation) => void {
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
  return ({ types, outcome, seconds: duration }) => {
    for (const type of types) appends.inc({ type, outcome });
    seconds.observe({ outcome }, duration);
  };
}

/** How far followers (read models and processes) are behind the head; asked when metrics are read. */
export function gaugeFollowerLag(registry: Registry, sql: Sql): void {
  const lag: Gauge<"follower"> = new Gauge({
    name: "ledger_follower_lag_events",
    help: "Recorded events that a following read model or a process has not seen yet.",
    labelNames: ["follower"],
    registers: [registry],
    collect: async () => {
      const rows = await sql<{ follower: string; behind: number }[]>`
        select c.follower, h.pos - c.pos as behind from ledger.checkpoint c, ledger.head h`;
      for (const { follower, behind } of rows) lag.set({ follower }, behind);
    },
  });
  gauge(registry, "ledger_head_position", {
    help: "Position of the newest event of the ledger",
    read: () => sql<{ value: number }[]>`select pos as value from ledger.head`,
  });
}

/** Counts the ends of outbox messages and gauges what waits. Labels are names of the code. */
export function countDeliveries(
  registry: Registry,
  sql: Sql,
): { onDelivery: ObserveDelivery; onGivenUp: (name: string) => void } {
  const messages = new Counter({
    name: "ledger_messages_total",
    help: "Messages of the outbox, by name and outcome (delivered, failed attempt, given up)",
    labelNames: ["message", "outcome"] as const,
    registers: [registry],
  });
  gauge(registry, "ledger_outbox_oldest_seconds", {
    help: "Age of the oldest message that is neither delivered nor given up",
    read: () => sql<{ value: number }[]>`
      select coalesce(extract(epoch from ledger.now() - min(added_at)), 0)::float8 as value
        from ledger.outbox where done_at is null and given_up_at is null`,
  });
  gauge(registry, "ledger_messages_given_up", {
    help: "Messages that were given up and not requested again",
    read: () => sql<{ value: number }[]>`
      select count(*) as value from ledger.outbox where given_up_at is not null`,
  });
  gauge(registry, "ledger_timers_behind", {
    help: "Timers that are due and have not fired",
    read: () => sql<{ value: number }[]>`
      select count(*) as value from ledger.due_timer
       where fired_at is null and due_at <= (select ledger.now())`,
  });
  return {
    onDelivery: ({ name, outcome }) => messages.inc({ message: name, outcome }),
    onGivenUp: (name) => messages.inc({ message: name, outcome: "given_up" }),
  };
}

/** Erasures that are late: an erasure that is recorded leaves its stream without the timer. */
export function gaugeDuties(registry: Registry, sql: Sql, kinds: readonly StreamKind[]): void {
  const names = kinds.flatMap(({ erasureTimers }) => erasureTimers);
  gauge(registry, "ledger_duties_overdue", {
    help: "Erasures that were due more than an hour ago and are not recorded",
    read: () => sql<{ value: number }[]>`
      select count(*) as value from ledger.due_timer
       where due_at < (select ledger.now()) - interval '1 hour' and name = any (${names}::text[])`,
  });
}

/** How far the keys of subjects are behind: after a turn of epochs or a rotation, and before its end. */
export function gaugeKeys(registry: Registry, sql: Sql): void {
  gauge(registry, "ledger_keys_to_rewrap", {
    help: "Keys of data subjects that are not under the epoch in use",
    read: () => sql<{ value: number }[]>`
      select count(*) as value from ledger.subject where wrapping_key_id <>
        (select key_id from ledger.key_epoch where proof is not null order by used_from desc limit 1)`,
  });
  gauge(registry, "ledger_key_epoch_oldest_seconds", {
    help: "Age of the oldest epoch whose key exists, or is still a wrapping key",
    read: () => sql<{ value: number }[]>`
      select coalesce(extract(epoch from clock_timestamp() - min(used_from)), 0)::float8 as value
        from (select used_from from ledger.key_epoch where lost_at is null
              union all select used_from from ledger.ended_epoch where destroyed_at is null) e`,
  });
  // With one key nothing is counted.
  gauge(registry, "ledger_lookups_on_former_key", {
    help: "Data subjects that are found by a former lookup key alone",
    read: () => sql<{ value: number }[]>`
      select count(*) as value from ledger.subject s
       where (select count(*) from ledger.lookup_key) > 1 and
         coalesce(s.lookup_key_id, (select key_id from ledger.lookup_key order by used_from limit 1)) <>
         (select key_id from ledger.lookup_key order by used_from desc limit 1)`,
  });
}

function gauge(
  registry: Registry,
  name: string,
  { help, read }: { help: string; read: () => PromiseLike<readonly { value: number }[]> },
): void {
  const one: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => one.set((await read())[0]?.value ?? 0),
  });
}
