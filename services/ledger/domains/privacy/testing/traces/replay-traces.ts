import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { TestDatabase } from "../../../../testing/create-test-ledger.ts";
import { planTraces } from "./plan-traces.ts";
import { type Divergence, replayTrace } from "./replay-trace.ts";
import { openStage } from "./stage.ts";

type Options = {
  /** States of the model that are looked at from each beginning. */
  readonly states: number;
  /** How many of the traces are replayed. */
  readonly traces: number;
  readonly random: () => number;
  /** One of its own when absent. */
  readonly database?: TestDatabase;
};

export type Replayed = {
  readonly traces: number;
  readonly steps: number;
  /** States in which everything that the model refuses was tried. */
  readonly tried: number;
  readonly shown: number;
  readonly missing: readonly string[];
  readonly divergences: readonly Divergence[];
};

/** In the next year, always on the same day and hour, as the warnings of officers come in the morning. */
const begunAt = () => instantFromMs(Date.UTC(new Date().getUTCFullYear() + 1, 2, 1, 8));

/** Replays traces of the model against the real service, and compares both after each step. */
export async function replayTraces({
  states,
  traces: count,
  random,
  database,
}: Options): Promise<Replayed> {
  const begun = begunAt();
  const { traces, missing, shown } = planTraces(begun, states);
  const chosen = traces
    .map((trace) => ({ trace, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ trace }) => trace);
  const tried = new Set<string>();
  const divergences: Divergence[] = [];
  const stage = await openStage(database);
  try {
    for (const trace of chosen) {
      const found = await replayTrace(stage, trace, { begun, tried });
      if (found !== undefined) divergences.push(found);
    }
  } finally {
    await stage.close();
  }
  const steps = chosen.reduce((sum, trace) => sum + trace.steps.length, 0);
  return { traces: chosen.length, steps, tried: tried.size, shown, missing, divergences };
}
