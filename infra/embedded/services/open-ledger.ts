import { buildJobsApp } from "@pro-talent/jobs/app";
import { buildLedgerApp } from "@pro-talent/ledger/app";
import { composeLedgerWork } from "@pro-talent/ledger/jobs";
import { key256, mailSender, parseEnv } from "@pro-talent/platform/config/define-env";
import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { z } from "zod";

const keys = { LEDGER_WRAPPING_KEY: key256, LEDGER_LOOKUP_KEY: key256 };
const shared = { ...keys, DATABASE_URL: z.string(), PUBLIC_ORIGIN: z.url() };

/** Opens the ledger. */
export const openLedgerService: OpenService = async (source, log) => {
  const shape = { ...shared, INTERNAL_TOKEN: z.string(), FORMS_PER_MINUTE: z.coerce.number() };
  const env = parseEnv(shape, source);
  const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "ledger" });
  const app = await buildLedgerApp({
    sql,
    log,
    clock: systemClock,
    internalToken: env.INTERNAL_TOKEN,
    subjectKeys: { wrappingKey: env.LEDGER_WRAPPING_KEY, lookupKey: env.LEDGER_LOOKUP_KEY },
    publicOrigin: env.PUBLIC_ORIGIN,
    formsPerMinute: env.FORMS_PER_MINUTE,
  });
  return { app, close: () => app.close().then(() => sql.end()) };
};

/** Opens the worker of the ledger. */
export const openLedgerWorker: OpenService = async (source, log) => {
  const shape = {
    ...shared,
    QUEUE_URL: z.string(),
    LEDGER_DATABASE_URL: z.string(),
    SMTP_URL: z.string(),
    MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
    SUPPORT_ADDRESS: z.string().default("support@protalent.example"),
    NEWSLETTER_PER_SECOND: z.coerce.number().positive().default(20),
    OUTBOX_FIRST_WAIT_MS: z.coerce.number().int().default(300_000),
  };
  const env = parseEnv(shape, source);
  const sql = openPool(env.DATABASE_URL, { max: 4, applicationName: "jobs" });
  const ledgerSql = openPool(env.LEDGER_DATABASE_URL, { max: 12, applicationName: "jobs-ledger" });
  const mailer = connectMailer({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM });
  const ledger = composeLedgerWork({
    sql: ledgerSql,
    firstWaitMs: env.OUTBOX_FIRST_WAIT_MS,
    clock: systemClock,
    subjectKeys: { wrappingKey: env.LEDGER_WRAPPING_KEY, lookupKey: env.LEDGER_LOOKUP_KEY },
    mailer,
    supportAddress: env.SUPPORT_ADDRESS,
    origin: env.PUBLIC_ORIGIN,
    newsletterPerSecond: env.NEWSLETTER_PER_SECOND,
  });
  const app = await buildJobsApp({ queueUrl: env.QUEUE_URL, sql, ledger, log });
  const close = async (): Promise<void> => {
    await app.close();
    await mailer.close();
    await Promise.all([sql.end(), ledgerSql.end()]);
  };
  return { app, close };
};
