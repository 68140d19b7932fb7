import {
  openTestQueue,
  type TestQueue,
  usualBackend,
} from "@pro-talent/platform/queue/testing/test-queue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { joinHandlers, type WorkerContext } from "./kernel/module.ts";
import { reconcileAll } from "./kernel/reconcile.ts";
import { log, noMail, workerOptions } from "./kernel/testing/ledger-workers.ts";
import { sweepTimers } from "./kernel/timers.ts";
import { modules, streamKinds } from "./modules.ts";
import { createTestLedger, type TestLedger } from "./testing/create-test-ledger.ts";
import { wrongFacts, type Life, playLife, sabotage, wrongLives } from "./testing/duty-lives.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "./worker-app.ts";

let ledger: TestLedger;
let queue: TestQueue;
beforeAll(async () => {
  ledger = await createTestLedger({ max: ledgerConnectionsMin + 8 });
  queue = await openTestQueue(usualBackend, { ownerUrl: ledger.ownerUrl, name: "ledger" });
});
afterAll(async () => {
  await queue.close();
  await ledger.drop();
});

/** Numbers between 0 and 1 that follow from a seed (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** What the worker does on its own when it is time: a reconciliation, and a sweep of what is due. */
async function reconcileAndSweep(): Promise<void> {
  const context: WorkerContext = {
    ...ledger,
    mailer: noMail,
    stopping: new AbortController().signal,
  };
  await reconcileAll({ sql: ledger.sql, kinds: streamKinds });
  const handlers = joinHandlers(
    "timer",
    modules.map((module) => module.timers(context, {})),
  );
  while ((await sweepTimers({ sql: ledger.sql, handlers, log })) > 0);
}

describe("duties while rows of timers, messages and jobs are lost under load", () => {
  it.each([1, 2, 3, 4])("are all done, and nothing else is erased (seed %i)", async (seed) => {
    const random = seeded(seed);
    const worker = await buildLedgerWorker(
      workerOptions(ledger.sql, queue.url, ledger.testKeys.keys, { modules }),
    );
    const lives: Life[] = [];
    for (let round = 0; round < 6; round += 1) {
      const playing = Array.from({ length: 8 }, () => playLife(ledger, random));
      await sabotage(ledger.owner, random, queue.lose);
      lives.push(...(await Promise.all(playing)));
      await sabotage(ledger.owner, random, queue.lose);
    }
    await worker.close();
    await reconcileAndSweep();
    expect(await wrongLives(ledger.owner, lives)).toEqual([]);
    expect(await wrongFacts(ledger.owner, lives)).toBe(0);
    expect(lives.filter(({ mustBeErased }) => mustBeErased).length).toBeGreaterThan(10);
    expect(lives.filter(({ mustBeErased }) => !mustBeErased).length).toBeGreaterThan(5);
    const again = await reconcileAll({ sql: ledger.sql, kinds: streamKinds });
    expect(again).toMatchObject({ armed: 0, removed: 0, rearmed: 0, destroyed: 0, overdue: 0 });
  });
});
