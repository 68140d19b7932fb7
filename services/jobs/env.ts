import {
  httpServiceEnv,
  key256,
  mailSender,
  parseEnv,
  publicOrigin,
} from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address");
const queueUrl = z
  .string()
  .regex(/^(?:postgres(?:ql)?|rediss?):\/\//, "must be a postgres:// or redis:// address");

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** Where jobs wait: Postgres as the role `jobs_app`, or Redis. */
      QUEUE_URL: queueUrl,
      /** The database that jobs work on, as the role `jobs_app`. */
      DATABASE_URL: postgresUrl,
      /** The ledger's database, as the role `ledger_app`: its messages and timers are worked on. */
      LEDGER_DATABASE_URL: postgresUrl,
      /** Opens the keys under which personal data is sealed; the same as the ledger's. */
      LEDGER_WRAPPING_KEY: key256,
      /** Makes the tokens of mailed links; the same as the ledger's. */
      LEDGER_LOOKUP_KEY: key256,
      /** Where mail is handed in: `smtp://` or `smtps://`, with user and password if need be. */
      SMTP_URL: z.string().regex(/^smtps?:\/\//, "must be a smtp:// or smtps:// address"),
      /** Whom mail comes from: `Name <address>`. */
      MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
      /** Where messages of the contact form go. */
      SUPPORT_ADDRESS: z.string().min(3).default("support@protalent.example"),
      /** Where the site is: mailed links lead there. */
      PUBLIC_ORIGIN: publicOrigin,
      /** Letters of an issue that this host sends in a second. */
      NEWSLETTER_PER_SECOND: z.coerce.number().positive().default(20),
      /**
       * How long a message has before it is handed to the queue again, in milliseconds; doubled with
       * each turn. Longer than any message takes; drills make it short.
       */
      OUTBOX_FIRST_WAIT_MS: z.coerce.number().int().min(100).default(300_000),
    },
    process.env,
  );
}

/** What migrations need: where jobs wait, and the database as its owner. */
export function readMigrationEnv() {
  return parseEnv({ QUEUE_URL: queueUrl, DATABASE_OWNER_URL: postgresUrl }, process.env);
}
