import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { connectQueue, type JobQueue } from "@pro-talent/platform/queue/connect-queue";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { workOnQueue } from "@pro-talent/platform/queue/work-on-queue";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole } from "@pro-talent/platform/testing/engines";
import { Registry } from "prom-client";

import { append, type OutboxMessage } from "../../event-store/append.ts";
import { deliveriesAtOnce, ledgerConnectionsMin, prepareLedgerJobs } from "../../jobs.ts";
import { consentAppend } from "../../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import type { MessageHandlers } from "../message-handlers.ts";

const log = createLogger({ service: "test", level: "silent" });

export type LedgerHost = { readonly stop: () => Promise<void> };

/** A host of the ledger's jobs, with connections of its own, as a process has them. */
export async function startLedgerHost(options: {
  ledgerUrl: string;
  queueUrl: string;
  handlersOn: (sql: Sql) => MessageHandlers;
  firstWaitMs: number;
}): Promise<LedgerHost> {
  const { queueUrl, firstWaitMs } = options;
  const sql = openPool(options.ledgerUrl, {
    max: ledgerConnectionsMin,
    applicationName: "test-host",
  });
  const queue = await connectQueue(queueUrl, { name: "ledger", log });
  const handlers = options.handlersOn(sql);
  const ledger = prepareLedgerJobs(
    { sql, handlers, timers: {}, firstWaitMs },
    { queue, log, metrics: new Registry() },
  );
  const worker = await workOnQueue(queueUrl, {
    name: "ledger",
    jobs: ledger.jobs,
    log,
    concurrency: deliveriesAtOnce,
  });
  ledger.start();
  return {
    stop: async () => {
      await ledger.stop();
      await worker.close();
      await queue.close();
      await sql.end();
    },
  };
}

export type LedgerHosts = {
  readonly ledger: TestLedger;
  readonly ledgerUrl: string;
  readonly queueUrl: string;
  readonly queue: JobQueue;
  readonly start: (handlers: MessageHandlers, firstWaitMs?: number) => Promise<LedgerHost>;
  /** Appends an event with each of these messages. @returns their ids in the outbox */
  readonly post: (messages: readonly OutboxMessage[]) => Promise<number[]>;
  /** How many of these messages are done. */
  readonly done: (ids: readonly number[]) => Promise<number>;
  /** Ends the hosts of one test. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A ledger with a queue in a database of its own. */
export async function openLedgerHosts(): Promise<LedgerHosts> {
  const ledger = await createTestLedger();
  const ledgerUrl = asRole(ledger.ownerUrl, "ledger_app");
  const queueUrl = asRole(ledger.ownerUrl, "jobs_app");
  await migrateQueue({ queueUrl, ownerUrl: ledger.ownerUrl, name: "ledger", role: "jobs_app" });
  const queue = await connectQueue(queueUrl, { name: "ledger", log });
  const hosts: LedgerHost[] = [];
  return {
    ledger,
    ledgerUrl,
    queueUrl,
    queue,
    start: async (handlers, firstWaitMs = 60_000) => {
      const handlersOn = () => handlers;
      const host = await startLedgerHost({ ledgerUrl, queueUrl, handlersOn, firstWaitMs });
      hosts.push(host);
      return host;
    },
    post: (messages) => Promise.all(messages.map((message) => postOne(ledger, message))),
    done: async (ids) => {
      const rows = await ledger.owner`
        select from ledger.outbox where id = any (${ids}::bigint[]) and done_at is not null`;
      return rows.length;
    },
    rest: async () => {
      await Promise.all(hosts.splice(0).map((host) => host.stop()));
      await ledger.owner`update ledger.outbox set given_up_at = now() where done_at is null`;
    },
    close: async () => {
      await queue.close();
      await ledger.drop();
    },
  };
}

async function postOne({ store, sql }: TestLedger, message: OutboxMessage): Promise<number> {
  const result = await append(store, consentAppend({ messages: [message] }));
  if (result.status !== "appended") throw new Error("The message was not appended");
  const [row] = await sql<{ id: number }[]>`
    select id from ledger.outbox where pos = ${result.firstPosition}`;
  if (row === undefined) throw new Error("The message is not in the outbox");
  return row.id;
}
