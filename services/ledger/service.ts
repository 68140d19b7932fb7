import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import { replicaUrlOf } from "@pro-talent/platform/config/define-env";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { readDkimKey } from "@pro-talent/platform/mail/dkim";
import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { requireWritable } from "@pro-talent/platform/runtime/writable";

import { buildLedgerApp } from "./app.ts";
import { readServiceEnv, readWorkerEnv } from "./env.ts";
import { startDatabaseClock } from "./kernel/database-clock.ts";
import { openLedgerKeys } from "./kernel/keys/open-keys.ts";
import { openKeeperPool } from "./kernel/keys/vacuum.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "./worker-app.ts";

/**
 * Opens the ledger's HTTP service.
 * @throws Unwritable when files of links could not be stored
 */
export const openLedgerService: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  await requireStores(source, ["FILES_URL"]);
  const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "ledger" });
  const { clock, stop } = await startDatabaseClock(sql, readClock(source), { log });
  const app = await buildLedgerApp({
    sql,
    log,
    clock,
    accounts: { url: env.ACCOUNTS_URL, internalToken: env.INTERNAL_TOKEN },
    keys: openLedgerKeys(source),
    publicOrigin: env.PUBLIC_ORIGIN,
    formsPerMinute: env.FORMS_PER_MINUTE,
    readsPerMinute: env.READS_PER_MINUTE,
    replicaUrl: replicaUrlOf(env),
    trustedProxies: env.TRUSTED_PROXIES,
    environment: source,
  });
  const closing = new Shutdown(log);
  closing.add("http", () => app.close());
  closing.add("clock", stop);
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};

/**
 * Opens the ledger's worker.
 * @throws Unwritable when an erasure could not be journalled, or a file or a head not be stored
 */
export const openLedgerWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  await requireStores(source, ["FILES_URL", "ERASURE_JOURNAL_FILE", "LEDGER_HEADS_FILE"]);
  const sql = openPool(env.DATABASE_URL, {
    max: ledgerConnectionsMin + 2,
    applicationName: "ledger-worker",
  });
  const keeper = openKeeperPool(env.DATABASE_KEEPER_URL);
  const dkim = readDkimKey(env, env.MAIL_FROM.address);
  const mailer = connectMailer({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    ...(dkim && { dkim }),
  });
  const { clock, stop } = await startDatabaseClock(sql, readClock(source), { log });
  const app = await buildLedgerWorker({
    queueUrl: env.QUEUE_URL,
    sql,
    log,
    mailer,
    clock,
    keys: openLedgerKeys(source),
    accounts: { url: env.ACCOUNTS_URL, internalToken: env.INTERNAL_TOKEN },
    insights: { url: env.INSIGHTS_URL, internalToken: env.INTERNAL_TOKEN },
    keeping: { keeper, periods: readKeyPeriods(source, "LEDGER") },
    publicOrigin: env.PUBLIC_ORIGIN,
    firstWaitMs: env.OUTBOX_FIRST_WAIT_MS,
    sweepEveryMs: env.TIMERS_SWEEP_MS,
    environment: source,
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("clock", stop);
  closing.add("mail", () => mailer.close());
  closing.add("keeper", () => keeper.end());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};

/** What is outside the database must be writable before anything depends on it. */
async function requireStores(
  source: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): Promise<void> {
  for (const setting of settings) {
    const value = source[setting] ?? "";
    if (value.startsWith("file:")) await requireWritable(fileURLToPath(value), setting);
    else if (value.startsWith("/")) await requireWritable(dirname(value), setting);
  }
}
