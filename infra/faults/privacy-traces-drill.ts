import { replayTraces } from "@pro-talent/ledger/domains/privacy/testing/traces/replay-traces";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { ledgerAlone } from "./privacy-deliveries.ts";
import { seededRandom } from "./record-load.ts";

/** Replays traces of the model of privacy requests against the ledger on a Postgres of its own. */
export async function privacyTracesDrill({
  directory,
  seed,
  report,
  states,
}: DrillOptions & { readonly states: number }): Promise<Finding[]> {
  const database = await ledgerAlone(directory);
  const random = seededRandom(seed);
  const replayed = await replayTraces({ states, traces: Infinity, random, database });
  const { divergences, missing, shown, steps, traces, tried } = replayed;
  for (const { origin, course, difference } of divergences.slice(0, 10))
    report(`${origin}, ${course.join(", ")}: ${difference}`);
  for (const item of missing) report(`not shown: ${item}`);
  return [
    {
      statement: "traces show every transition, and every refusal by each condition in reach",
      holds: missing.length === 0,
      figures: `${shown} shown, ${missing.length} missing`,
    },
    {
      statement: "the real service does what the model says after each step",
      holds: divergences.length === 0 && traces > 0,
      figures: `${traces} traces, ${steps} steps, refusals tried in ${tried} states, ${divergences.length} divergences`,
    },
  ];
}
