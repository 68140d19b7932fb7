import { constants, setPriority } from "node:os";

import { composeLedgerWork } from "@pro-talent/ledger/jobs";
import { listen } from "@pro-talent/platform/http/listen";
import { connectMailer } from "@pro-talent/platform/mail/mailer";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildJobsApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

// Whoever waits for an answer goes first: nobody waits for a job.
setPriority(constants.priority.PRIORITY_LOW);
const env = readServiceEnv();
const log = createLogger({ service: "jobs", level: env.LOG_LEVEL });
const sql = openPool(env.DATABASE_URL, { max: 4, applicationName: "jobs" });
const ledgerSql = openPool(env.LEDGER_DATABASE_URL, { max: 12, applicationName: "jobs-ledger" });
const mailer = connectMailer({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM });
const app = await buildJobsApp({
  queueUrl: env.QUEUE_URL,
  sql,
  ledger: composeLedgerWork({
    sql: ledgerSql,
    firstWaitMs: env.OUTBOX_FIRST_WAIT_MS,
    clock: systemClock,
    subjectKeys: { wrappingKey: env.LEDGER_WRAPPING_KEY, lookupKey: env.LEDGER_LOOKUP_KEY },
    mailer,
    supportAddress: env.SUPPORT_ADDRESS,
    origin: env.PUBLIC_ORIGIN,
    newsletterPerSecond: env.NEWSLETTER_PER_SECOND,
  }),
  log,
});
const shutdown = new Shutdown(log);
shutdown.add("end jobs", () => app.close());
shutdown.add("mail", () => mailer.close());
shutdown.add("postgres", async () => {
  await Promise.all([sql.end(), ledgerSql.end()]);
});
shutdown.listen();
await listen(app, env);
log.info("jobs are run");
