import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";

import {
  buildLedgerWorker,
  ledgerConnectionsMin,
  type LedgerWorkerOptions,
} from "../../worker-app.ts";
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
