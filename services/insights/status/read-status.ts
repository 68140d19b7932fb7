import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Status } from "@pro-talent/schemas/insights/status-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { type Figure, readFigures } from "./figures.ts";

/** A process of the product, and where it answers. */
export type ProcessAddress = { readonly name: string; readonly url: string };

const Readiness = z.object({ missing: z.array(z.string()).default([]) });
const timeoutMs = 3000;

type Seen = Status["processes"][number] & { readonly figures: readonly Figure[] };

/** Asks every process at the same time; one that does not answer delays the others by three seconds at most. */
export async function readStatus(
  processes: readonly ProcessAddress[],
  clock: Clock,
): Promise<Status> {
  const seen = await Promise.all(processes.map((process) => look(process)));
  const figures = seen.flatMap((one) => one.figures);
  const named = (name: string): Figure[] => figures.filter((figure) => figure.name === name);
  const most = (name: string): number | null => {
    const values = named(name).map(({ value }) => value);
    return values.length === 0 ? null : Math.max(0, ...values);
  };
  const shipping = named("collector_shipping").map(({ value }) => value === 1);
  return {
    asOf: instantFromMs(clock()),
    processes: seen.map(({ name, state, missing }) => ({ name, state, missing })),
    queues: seen.flatMap((one) => queueOf(one)),
    spool: {
      bytes: most("collector_spool_backlog_bytes"),
      oldestSeconds: most("collector_spool_backlog_oldest_seconds"),
      shipping: shipping.length === 0 ? null : shipping.every(Boolean),
    },
    drops: dropsIn(named("collector_drops_total")),
    ledger: {
      head: most("ledger_head_position"),
      eventsBehind: most("ledger_follower_lag_events"),
      timersLate: most("ledger_timers_behind"),
      dutiesOverdue: most("ledger_duties_overdue"),
      messagesGivenUp: most("ledger_messages_given_up"),
      oldestMessageSeconds: most("ledger_outbox_oldest_seconds"),
    },
    backups: {
      newestSeconds: most("backup_newest_set_age_seconds"),
      restoredSeconds: most("backup_verified_age_seconds"),
      archivedSeconds: most("backup_wal_lag_seconds"),
    },
  };
}

async function look({ name, url }: ProcessAddress): Promise<Seen> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const [ready, metrics] = await Promise.all([
      fetch(new URL("/readyz", url), { signal }),
      fetch(new URL("/metrics", url), { signal }),
    ]);
    const { missing } = Readiness.parse(await ready.json());
    const figures = metrics.ok ? readFigures(await metrics.text()) : [];
    return { name, state: ready.ok ? "ready" : "waiting", missing, figures };
  } catch {
    return { name, state: "away", missing: [], figures: [] };
  }
}

function queueOf({ name, figures }: Seen): Status["queues"] {
  const jobs = figures.filter((figure) => figure.name === "jobs_in_queue");
  if (jobs.length === 0) return [];
  const count = (state: string): number =>
    jobs.find(({ labels }) => labels["state"] === state)?.value ?? 0;
  return [
    {
      service: name,
      waiting: count("waiting"),
      active: count("active"),
      delayed: count("delayed"),
      failed: count("failed"),
    },
  ];
}

/** By reason, over all instances; those that occur most first. */
function dropsIn(figures: readonly Figure[]): Status["drops"] {
  const counts = new Map<string, number>();
  for (const { labels, value } of figures) {
    const { reason = "" } = labels;
    counts.set(reason, (counts.get(reason) ?? 0) + value);
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}
