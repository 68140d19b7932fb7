import {
  databaseReplica,
  httpServiceEnv,
  internalToken,
  parseEnv,
  postgresUrl,
  publicOrigin,
  queueUrl,
  trustedProxies,
} from "@pro-talent/platform/config/define-env";
import { keyPeriodsEnv } from "@pro-talent/platform/keys/key-periods";
import { z } from "zod";

import { keySettingsEnv } from "./key-settings.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** What both processes need. */
const studioEnv = {
  ...httpServiceEnv,
  /** The database, as the role `studio_app`. */
  DATABASE_URL: postgresUrl,
  ...keySettingsEnv,
  /** Shared by the services. */
  INTERNAL_TOKEN: internalToken,
  /** Of the site: calls of other sites are refused. */
  PUBLIC_ORIGIN: publicOrigin,
  /** Base address of the ledger, which knows plans. */
  LEDGER_URL: z.url(),
};
const perMinute = z.coerce.number().int().min(1);

/** What the HTTP service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Source) {
  return parseEnv(
    {
      ...studioEnv,
      /** Calls that one network may make in a minute. */
      CALLS_PER_MINUTE: perMinute.default(600),
      /** Previews that one account may ask for in a minute: one after every key. */
      PREVIEWS_PER_MINUTE: perMinute.default(400),
      /** Files, checks, imports and photos that one account may ask for in a minute. */
      FILES_PER_MINUTE: perMinute.default(30),
      TRUSTED_PROXIES: trustedProxies,
      DATABASE_REPLICA: databaseReplica,
    },
    source,
  );
}

/** What the worker needs to run. @throws naming every variable that is missing or wrong */
export function readWorkerEnv(source: Source) {
  return parseEnv(
    {
      ...studioEnv,
      ...keyPeriodsEnv("STUDIO"),
      QUEUE_URL: queueUrl,
      /** Base address of the accounts service. */
      ACCOUNTS_URL: z.url(),
    },
    source,
  );
}
