import { connectQueue, type JobQueue } from "@pro-talent/platform/queue/connect-queue";
import {
  openTestQueue,
  type QueueBackend,
  type TestQueue,
  usualBackend,
} from "@pro-talent/platform/queue/testing/test-queue";
import { asRole } from "@pro-talent/platform/testing/engines";

import { consentAppend } from "../../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import type { LedgerWorkerOptions } from "../../worker-app.ts";
import { append, type OutboxMessage } from "../append.ts";
import type { MessageHandlers } from "../outbox.ts";
import { log, messageModule, startTestWorker, type TestWorker } from "./ledger-workers.ts";

/** Workers of a ledger that a test has, several at once. */
export async function openWorkers(
  { ownerUrl, testKeys: { keys } }: TestLedger,
  change: Partial<LedgerWorkerOptions>,
) {
  const ledgerUrl = asRole(ownerUrl, "ledger_app");
  const store = await openTestQueue(usualBackend, { ownerUrl, name: "ledger" });
  const { url: queueUrl } = store;
  const workers: TestWorker[] = [];
  return {
    start: async (): Promise<void> => {
      const changeOn = () => ({ sweepEveryMs: 50, firstWaitMs: 400, ...change });
      workers.push(await startTestWorker({ ledgerUrl, queueUrl, keys, changeOn }));
    },
    stopOne: async (): Promise<void> => workers.shift()?.stop(),
    stopAll: async (): Promise<void> => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    close: () => store.close(),
  };
}

export type LedgerWorkers = {
  readonly ledger: TestLedger;
  readonly ledgerUrl: string;
  readonly queueUrl: string;
  readonly queue: JobQueue;
  /** Where its jobs wait. */
  readonly store: TestQueue;
  readonly start: (handlers: MessageHandlers, firstWaitMs?: number) => Promise<TestWorker>;
  /** Appends an event with each of these messages. @returns their ids in the outbox */
  readonly post: (messages: readonly OutboxMessage[]) => Promise<number[]>;
  /** How many of these messages are done. */
  readonly done: (ids: readonly number[]) => Promise<number>;
  /** Ends the workers of one test. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A ledger in a database of its own, with a queue in a store of its own. */
export async function openLedgerWorkers(
  backend: QueueBackend = usualBackend,
): Promise<LedgerWorkers> {
  const ledger = await createTestLedger();
  const { ownerUrl } = ledger;
  const ledgerUrl = asRole(ownerUrl, "ledger_app");
  const store = await openTestQueue(backend, { ownerUrl, name: "ledger" });
  const { url: queueUrl } = store;
  const queue = await connectQueue(queueUrl, { name: "ledger", log });
  const workers: TestWorker[] = [];
  return {
    ledger,
    ledgerUrl,
    queueUrl,
    queue,
    store,
    start: async (handlers, firstWaitMs = 60_000) => {
      const changeOn = () => ({ firstWaitMs, modules: [messageModule(handlers)] });
      const { keys } = ledger.testKeys;
      const worker = await startTestWorker({ ledgerUrl, queueUrl, keys, changeOn });
      workers.push(worker);
      return worker;
    },
    post: (messages) => Promise.all(messages.map((message) => postOne(ledger, message))),
    done: async (ids) => {
      const rows = await ledger.owner`
        select from ledger.outbox where id = any (${ids}::bigint[]) and done_at is not null`;
      return rows.length;
    },
    rest: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      await ledger.owner`update ledger.outbox set given_up_at = now() where done_at is null`;
    },
    close: async () => {
      await queue.close();
      await store.close();
      await ledger.drop();
    },
  };
}

async function postOne({ sql }: TestLedger, message: OutboxMessage): Promise<number> {
  const result = await append({ sql }, consentAppend({ messages: [message] }));
  if (result.status !== "appended") throw new Error("The message was not appended");
  const [row] = await sql<{ id: number }[]>`
    select id from ledger.outbox where pos = ${result.firstPosition}`;
  if (row === undefined) throw new Error("The message is not in the outbox");
  return row.id;
}
