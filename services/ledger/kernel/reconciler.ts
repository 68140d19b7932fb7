import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { Counter, Gauge, type Registry } from "prom-client";

import {
  reconcileAll,
  type ReconcileOptions,
  reconcileSince,
  type Reconciliation,
} from "./reconcile.ts";

const everyMs = 10 * 60 * 1000;
const everythingEveryMs = 24 * 60 * 60 * 1000;

const repairs = ["armed", "removed", "rearmed", "destroyed"] as const;

/**
 * Reconciles every ten minutes the streams that changed, and everything at the start and once a day. Any
 * number of workers may do so: repeating it changes nothing.
 */
export function startReconciling(
  options: ReconcileOptions & { readonly log: Logger; readonly metrics: Registry },
): Repetition {
  const observe = observer(options);
  let position = 0;
  let wholeAt = Number.NEGATIVE_INFINITY;
  return repeat({
    everyMs,
    pass: async () => {
      const started = performance.now();
      if (started - wholeAt >= everythingEveryMs) {
        const [head] = await options.sql<{ pos: number }[]>`select pos from ledger.head`;
        observe(await reconcileAll(options), "all");
        position = head?.pos ?? 0;
        wholeAt = started;
        return "wait";
      }
      const step = await reconcileSince(options, position);
      observe(step.found, "changed");
      position = step.position;
      return "wait";
    },
    onFailing: (error) => options.log.error({ err: error }, "duties are not reconciled"),
  });
}

/** Logs and counts repairs. Nothing names a stream. */
function observer({ log, metrics }: { readonly log: Logger; readonly metrics: Registry }) {
  const repaired = new Counter({
    name: "ledger_duties_repaired_total",
    help: "Timers and keys that were not as the events demand, by what was done about them.",
    labelNames: ["repair"],
    registers: [metrics],
  });
  const skipped = new Gauge({
    name: "ledger_streams_not_reconciled",
    help: "Streams that the last daily reconciliation could not read, or that changed meanwhile.",
    registers: [metrics],
  });
  return (found: Reconciliation, scope: "all" | "changed"): void => {
    for (const repair of repairs) repaired.inc({ repair }, found[repair]);
    if (scope === "all") skipped.set(found.skipped);
    if (repairs.some((repair) => found[repair] > 0) || found.overdue > 0) {
      log.warn({ duties: found }, "duties were not as the events demand");
    }
  };
}
