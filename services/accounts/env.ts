import {
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
import { keyPeriodsEnv } from "@pro-talent/platform/keys/key-periods";
import { dkimEnv } from "@pro-talent/platform/mail/dkim";
import { launch } from "@pro-talent/schemas/site/launch";
import { z } from "zod";

import { keySettingsEnv } from "./key-settings.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** What both processes need. */
const accountsEnv = {
  ...httpServiceEnv,
  /** The database, as the role `accounts_app`. */
  DATABASE_URL: postgresUrl,
  ...keySettingsEnv,
  /** Shared by the services. */
  INTERNAL_TOKEN: internalToken,
  /** Of the site: calls of other sites are refused, mails link there. */
  PUBLIC_ORIGIN: publicOrigin,
};

/** What the HTTP service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Source) {
  return parseEnv(
    {
      ...accountsEnv,
      /**
       * `open`: anyone may open an account. `invitation`: with an invitation alone. Empty or absent: as
       * the state of the launch says.
       */
      REGISTRATION: z
        .enum(["open", "invitation", ""])
        .default("")
        .transform((given) => given || (launch.state === "open" ? "open" : "invitation")),
      /** Calls of people who are not signed in that one network may make in a minute. */
      ENTRIES_PER_MINUTE: z.coerce.number().int().min(1).default(30),
      /** Calls of signed-in people that one network may make in a minute. */
      CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      TRUSTED_PROXIES: trustedProxies,
    },
    source,
  );
}

/** What the worker needs to run. @throws naming every variable that is missing or wrong */
export function readWorkerEnv(source: Source) {
  return parseEnv(
    {
      ...accountsEnv,
      ...keyPeriodsEnv("ACCOUNTS"),
      QUEUE_URL: queueUrl,
      /** Base address of the ledger, which records what was accepted. */
      LEDGER_URL: z.url(),
      /** Where mail is handed in: `smtp://` or `smtps://`, with user and password if need be. */
      SMTP_URL: smtpUrl,
      /** Sender of all mail: `Name <address>`. */
      MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
      ...dkimEnv,
    },
    source,
  );
}
