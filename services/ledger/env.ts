import {
  commaList,
  httpServiceEnv,
  internalToken,
  key256,
  parseEnv,
  publicOrigin,
} from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address");

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** The database, as the role `ledger_app`: it may read and append, nothing else. */
      DATABASE_URL: postgresUrl,
      /** Shared with the services that may hand in decisions. */
      INTERNAL_TOKEN: internalToken,
      /** Wraps the keys under which personal data is sealed. Losing it loses that data. */
      LEDGER_WRAPPING_KEY: key256,
      /** Makes the hashes by which an address is found again, and the tokens of mailed links. */
      LEDGER_LOOKUP_KEY: key256,
      /** Where the site is: forms of other sites are refused. */
      PUBLIC_ORIGIN: publicOrigin,
      /** Forms that one address may send in a minute. */
      FORMS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
      /** Addresses of the proxies in front, whose word about the caller's address is believed. */
      TRUSTED_PROXIES: commaList,
    },
    process.env,
  );
}

/** What migrations need: the database as its owner. */
export function readMigrationEnv() {
  return parseEnv({ DATABASE_OWNER_URL: postgresUrl }, process.env);
}

/** What the commands for operators need: the owner's address, or the instance that is running. */
export function readOperatorEnv() {
  return parseEnv(
    {
      DATABASE_OWNER_URL: postgresUrl.optional(),
      /** Where the running instance keeps its data and `runtime.json`. */
      DATA_DIR: z.string().min(1).default(".data"),
    },
    process.env,
  );
}
