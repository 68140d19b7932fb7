import { once } from "node:events";
import { Worker } from "node:worker_threads";

import type { Simulated } from "@pro-talent/ledger/domains/billing/testing/simulate";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";

const threads = 2;
const reportedEvery = 1000;
/** More of the same would say no more. */
const brokenMax = 10;

/**
 * Plays sequences of acts, payments, mails and jumps of the clock, of ten years each, against the rules of
 * billing and a provider that keeps its own book. The seeds follow one another from the given one, so that
 * a sequence that breaks a rule can be played again alone.
 */
export async function billingDrill({
  seed,
  report,
  sequences,
}: DrillOptions & { sequences: number }): Promise<Finding[]> {
  const total = { sequences: 0, steps: 0, events: 0, charges: 0 };
  const broken: string[] = [];
  const add = (played: Simulated): void => {
    total.sequences += 1;
    total.steps += played.steps;
    total.events += played.events;
    total.charges += played.charges;
    broken.push(...played.broken);
    if (total.sequences % reportedEvery === 0) report(`${total.sequences} played`);
  };
  const share = Math.ceil(sequences / threads);
  const firsts = Array.from({ length: threads }, (_, index) => seed + index * share);
  const lasts = firsts.map((first) => Math.min(first + share, seed + sequences));
  await Promise.all(firsts.map((first, index) => played(first, lasts[index] ?? first, add)));
  for (const rule of broken.slice(0, brokenMax)) report(rule);
  return [
    {
      statement:
        "over ten years no period is paid twice, none without a reminder, and both books are equal",
      holds: broken.length === 0 && total.sequences === sequences,
      figures:
        `${total.sequences} sequences, ${total.steps} steps, ${total.events} events, ` +
        `${total.charges} charges, ${broken.length} broken`,
    },
  ];
}

/** Resolves when the thread has played its seeds; an error of the thread rejects. */
async function played(
  first: number,
  last: number,
  add: (played: Simulated) => void,
): Promise<void> {
  const file = new URL("billing-drill.worker.ts", import.meta.url);
  const worker = new Worker(file, { workerData: { first, last } });
  worker.on("message", add);
  await once(worker, "exit");
}
