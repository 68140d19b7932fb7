import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { connectQueue, type JobQueue } from "@pro-talent/platform/queue/connect-queue";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole } from "@pro-talent/platform/testing/engines";

import { consentAppend } from "../../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import {
  buildLedgerWorker,
  ledgerConnectionsMin,
  type LedgerWorkerOptions,
} from "../../worker-app.ts";
import { append, type OutboxMessage } from "../append.ts";
import type { LedgerKeys } from "../keys/check-keys.ts";
import { defineModule } from "../module.ts";
import type { MessageHandlers } from "../outbox.ts";

export const log = createLogger({ service: "test", level: "silent" });

/** A mailer that sends nothing. */
export const noMail: LedgerWorkerOptions["mailer"] = {
  send: async () => undefined,
  reachable: async () => true,
  close: async () => undefined,
};

/** A module with these message handlers alone. */
export function messageModule(handlers: MessageHandlers) {
  return defineModule({ name: "test", events: [], messages: () => handlers });
}

/** What a worker in a test has, unless changed: no modules, no mail. */
export function workerOptions(
  sql: Sql,
  queueUrl: string,
  keys: LedgerKeys,
  change: Partial<LedgerWorkerOptions> = {},
): LedgerWorkerOptions {
  return {
    sql,
    queueUrl,
    log,
    clock: () => Date.now(),
    accounts: { url: "http://127.0.0.1:9", internalToken: "" },
    insights: { url: "http://127.0.0.1:9", internalToken: "" },
    keys,
    publicOrigin: "https://talent.example",
    mailer: noMail,
    modules: [],
    ...change,
  };
}

export type TestWorker = { readonly stop: () => Promise<void> };

/** A worker with connections of its own, as a process has them. */
export async function startTestWorker(options: {
  ledgerUrl: string;
  queueUrl: string;
  keys: LedgerKeys;
  changeOn: (sql: Sql) => Partial<LedgerWorkerOptions>;
}): Promise<TestWorker> {
  const { ledgerUrl, queueUrl, keys, changeOn } = options;
  const sql = openPool(ledgerUrl, { max: ledgerConnectionsMin, applicationName: "test-worker" });
  const app = await buildLedgerWorker(workerOptions(sql, queueUrl, keys, changeOn(sql)));
  return {
    stop: async () => {
      await app.close();
      await sql.end();
    },
  };
}

/** Workers of a ledger that a test has, several at once. */
export async function openWorkers(
  { ownerUrl, testKeys: { keys } }: TestLedger,
  change: Partial<LedgerWorkerOptions>,
) {
  const [ledgerUrl, queueUrl] = [asRole(ownerUrl, "ledger_app"), asRole(ownerUrl, "jobs_app")];
  await migrateQueue({ queueUrl, ownerUrl, name: "ledger", role: "jobs_app" });
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
  };
}

export type LedgerWorkers = {
  readonly ledger: TestLedger;
  readonly ledgerUrl: string;
  readonly queueUrl: string;
  readonly queue: JobQueue;
  readonly start: (handlers: MessageHandlers, firstWaitMs?: number) => Promise<TestWorker>;
  /** Appends an event with each of these messages. @returns their ids in the outbox */
  readonly post: (messages: readonly OutboxMessage[]) => Promise<number[]>;
  /** How many of these messages are done. */
  readonly done: (ids: readonly number[]) => Promise<number>;
  /** Ends the workers of one test. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A ledger with a queue in a database of its own. */
export async function openLedgerWorkers(): Promise<LedgerWorkers> {
  const ledger = await createTestLedger();
  const ledgerUrl = asRole(ledger.ownerUrl, "ledger_app");
  const queueUrl = asRole(ledger.ownerUrl, "jobs_app");
  await migrateQueue({ queueUrl, ownerUrl: ledger.ownerUrl, name: "ledger", role: "jobs_app" });
  const queue = await connectQueue(queueUrl, { name: "ledger", log });
  const workers: TestWorker[] = [];
  return {
    ledger,
    ledgerUrl,
    queueUrl,
    queue,
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
