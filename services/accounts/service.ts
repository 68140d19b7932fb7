import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { readDkimKey } from "@pro-talent/platform/mail/dkim";
import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { untilPostgresAnswers } from "@pro-talent/platform/postgres/until-answering";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildAccountsApp } from "./app.ts";
import { readServiceEnv, readWorkerEnv } from "./env.ts";
import { type KeySettings, readKeySettings } from "./key-settings.ts";
import { openAccountKeys } from "./keys.ts";
import { ledgerReports } from "./openings.ts";
import { sealAnew } from "./seal-anew.ts";
import { followAccountsKey } from "./service-secret.ts";
import { loadWeakPasswords } from "./weak-passwords.ts";
import { buildAccountsWorker } from "./worker-app.ts";

type Opening = { readonly settings: KeySettings; readonly nowMs: number; readonly log: Logger };

/** The keys, once the database answers and nothing is sealed as former versions did. */
async function openKeys(url: string, sql: Sql, { settings, nowMs, log }: Opening) {
  await untilPostgresAnswers(url, { log });
  const keys = await openAccountKeys(sql, settings, nowMs);
  const accounts = await sealAnew(sql, keys, nowMs);
  if (accounts > 0) log.info({ rows: accounts }, "accounts were sealed under keys of their own");
  return keys;
}

/** Opens the HTTP service. */
export const openAccountsService: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "accounts" });
  const clock = readClock(source);
  const settings = readKeySettings(source);
  const keys = await openKeys(env.DATABASE_URL, sql, { settings, nowMs: clock(), log });
  const app = await buildAccountsApp({
    context: {
      sql,
      clock,
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
  const clock = readClock(source);
  const settings = readKeySettings(source);
  const periods = readKeyPeriods(source, "ACCOUNTS");
  const keys = await openKeys(env.DATABASE_URL, sql, { settings, nowMs: clock(), log });
  await followAccountsKey(sql, settings);
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
    clock,
    keys,
    turning: { settings, periods },
    publicOrigin: env.PUBLIC_ORIGIN,
    report: ledgerReports({ url: env.LEDGER_URL, internalToken: env.INTERNAL_TOKEN }),
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("mail", () => mailer.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
