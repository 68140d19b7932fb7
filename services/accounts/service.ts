import { readDkimKey } from "@pro-talent/platform/mail/dkim";
import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildAccountsApp } from "./app.ts";
import { readServiceEnv, readWorkerEnv } from "./env.ts";
import { openAccountKeys } from "./keys.ts";
import { ledgerReports } from "./openings.ts";
import { openPasswords } from "./passwords.ts";
import { loadWeakPasswords } from "./weak-passwords.ts";
import { buildAccountsWorker } from "./worker-app.ts";

/** Opens the HTTP service. */
export const openAccountsService: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "accounts" });
  const keys = openAccountKeys(env.ACCOUNTS_KEY);
  const app = await buildAccountsApp({
    context: {
      sql,
      clock: readClock(source),
      keys,
      passwords: openPasswords(keys.pepper),
      weakPasswords: await loadWeakPasswords(),
      publicOrigin: env.PUBLIC_ORIGIN,
      registration: env.REGISTRATION,
    },
    log,
    internalToken: env.INTERNAL_TOKEN,
    trustedProxies: env.TRUSTED_PROXIES,
    entriesPerMinute: env.ENTRIES_PER_MINUTE,
    callsPerMinute: env.CALLS_PER_MINUTE,
  });
  const closing = new Shutdown(log);
  closing.add("http", () => app.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};

/** Opens the worker: mails, reports to the ledger, and what has ended. */
export const openAccountsWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 6, applicationName: "accounts-worker" });
  const dkim = readDkimKey(env, env.MAIL_FROM.address);
  const mailer = connectMailer({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM,
    ...(dkim && { dkim }),
  });
  const app = await buildAccountsWorker({
    queueUrl: env.QUEUE_URL,
    sql,
    log,
    mailer,
    clock: readClock(source),
    keys: openAccountKeys(env.ACCOUNTS_KEY),
    publicOrigin: env.PUBLIC_ORIGIN,
    report: ledgerReports({ url: env.LEDGER_URL, internalToken: env.INTERNAL_TOKEN }),
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("mail", () => mailer.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
