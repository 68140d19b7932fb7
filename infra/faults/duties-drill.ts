import { setTimeout as delay } from "node:timers/promises";

import {
  type Life,
  playLife,
  sabotage,
  wrongFacts,
  wrongLives,
} from "@pro-talent/ledger/testing/duty-lives";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { startScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { losePostgresQueue } from "@pro-talent/platform/queue/testing/lose-queue";
import { until } from "@pro-talent/platform/testing/until";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { startIssueDrillStack } from "./issue-drill-stack.ts";
import { seededRandom } from "./record-load.ts";

const atOnce = 20;
/** The last erasure must be done by then, counted from the last disturbance. */
const deadlineMs = 180_000;

/**
 * Plays thousands of lives of data subjects, at instants long ago, so that many erasures are due, while
 * rows of timers, of the outbox and of the queue are destroyed and the worker is killed (`kill -9`). In
 * the end exactly those are erased that must be, by their facts and by their keys.
 */
export async function dutiesDrill(
  options: DrillOptions & { lives: number; kills: number },
): Promise<Finding[]> {
  const { directory, seed, report } = options;
  const random = seededRandom(seed);
  const smtp = await startScriptedSmtp();
  const stack = await startIssueDrillStack(directory, smtp.url, "postgres");
  try {
    await stack.worker.start();
    const lives: Life[] = [];
    const roundsPerKill = Math.max(1, Math.floor(options.lives / atOnce / options.kills));
    for (let round = 1; lives.length < options.lives; round += 1) {
      const playing = Array.from({ length: atOnce }, () => playLife(stack, random));
      await sabotage(stack.owner, random, () => losePostgresQueue(stack.owner));
      lives.push(...(await Promise.all(playing)));
      await sabotage(stack.owner, random, () => losePostgresQueue(stack.owner));
      if (round % roundsPerKill === 0) stack.worker.kill9();
      await delay(random() * 50);
    }
    // Each start of a worker reconciles everything, as each day does.
    stack.worker.kill9();
    const from = performance.now();
    await stack.worker.untilReady();
    const isDone = async (): Promise<boolean> =>
      (await wrongLives(stack.owner, lives)).length === 0;
    await until("every erasure is done", isDone, deadlineMs).catch(() => undefined);
    const seconds = Math.round((performance.now() - from) / 1000);
    report(`${lives.length} lives; the last erasure ${seconds} s after the last disturbance`);
    const wrong = await wrongLives(stack.owner, lives);
    const due = lives.filter(({ mustBeErased }) => mustBeErased).length;
    const facts = await wrongFacts(stack.owner, lives);
    const { findingCount } = await verifyLedger(stack.owner);
    return [
      {
        statement: "exactly the data that must be erased is erased",
        holds: wrong.length === 0,
        figures: `${due} of ${lives.length} due, ${wrong.length} wrong`,
      },
      { statement: "facts say so", holds: facts === 0, figures: `${facts} wrong` },
      {
        statement: "the ledger holds",
        holds: findingCount === 0,
        figures: `${findingCount} findings`,
      },
    ];
  } finally {
    await stack.stop();
    await smtp.stop();
  }
}
