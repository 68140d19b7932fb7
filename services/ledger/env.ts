import {
  databaseReplica,
  httpServiceEnv,
  internalToken,
  mailSender,
  parseEnv,
  postgresUrl,
  publicOrigin,
  queueUrl,
  smtpUrl,
  trustedProxies,
} from "@pro-talent/platform/config/define-env";
import { keyPeriodsEnv, readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { dkimEnv } from "@pro-talent/platform/mail/dkim";
import { z } from "zod";

import { ledgerKeysEnv } from "./kernel/keys/open-keys.ts";
import { modules } from "./modules.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** What both processes need. */
const ledgerEnv = {
  ...httpServiceEnv,
  /** The database, as the role `ledger_app`: it may read and append, nothing else. */
  DATABASE_URL: postgresUrl,
  ...ledgerKeysEnv,
  /** Of the site: forms of other sites are refused, mails link there. */
  PUBLIC_ORIGIN: publicOrigin,
  /** Shared with the other services. */
  INTERNAL_TOKEN: internalToken,
  /** Base address of the accounts service. */
  ACCOUNTS_URL: z.url(),
};

/** Checked at start; each domain parses its own variables where it uses them. */
function requireDomainEnv(source: Source): void {
  for (const { environment } of modules) parseEnv(environment, source);
}

/** What the HTTP service needs to run. */
export function readServiceEnv(source: Source) {
  requireDomainEnv(source);
  return parseEnv(
    {
      ...ledgerEnv,
      /** Forms of one kind that one address may send in a minute. */
      FORMS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
      /** Reads of one kind that one address may make in a minute. */
      READS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
      TRUSTED_PROXIES: trustedProxies,
      DATABASE_REPLICA: databaseReplica,
    },
    source,
  );
}

/** What the worker needs to run. */
export function readWorkerEnv(source: Source) {
  requireDomainEnv(source);
  readKeyPeriods(source, "LEDGER");
  return parseEnv(
    {
      ...ledgerEnv,
      ...keyPeriodsEnv("LEDGER"),
      /** The database, as the role `ledger_keeper`, which re-wraps keys and vacuums. */
      DATABASE_KEEPER_URL: postgresUrl,
      /** Base address of the insights service, which knows the opens of links. */
      INSIGHTS_URL: z.url().default("http://insights:3000"),
      /** Where jobs wait: Postgres as the role `jobs_app`, or Redis. */
      QUEUE_URL: queueUrl,
      /** Where mail is handed in: `smtp://` or `smtps://`, with user and password if need be. */
      SMTP_URL: smtpUrl,
      /** Sender of all mail: `Name <address>`. */
      MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
      ...dkimEnv,
      /**
       * How long a message has before it is handed to the queue again, in milliseconds; doubled with
       * each attempt. Longer than any message takes; fault tests make it short.
       */
      OUTBOX_FIRST_WAIT_MS: z.coerce.number().int().min(100).default(300_000),
      /** How often timers that are due are looked for, in milliseconds. */
      TIMERS_SWEEP_MS: z.coerce.number().int().min(100).default(10_000),
    },
    source,
  );
}

/** What migrations need: the database as its owner, and where the worker's jobs wait. */
export function readMigrationEnv(source: Source) {
  return parseEnv({ DATABASE_OWNER_URL: postgresUrl, QUEUE_URL: queueUrl.optional() }, source);
}
