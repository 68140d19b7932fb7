import { pathToFileURL } from "node:url";

import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  type DatabaseUse,
  instanceFile,
  readInstanceFile,
  withOperatorDatabase,
} from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { LedgerKeys } from "./keys/check-keys.ts";
import { type Keyring, openKeyring } from "./keys/keyring.ts";
import { openLedgerKeys } from "./keys/open-keys.ts";
import type { Cause } from "./types.ts";

type Source = Readonly<Record<string, string | undefined>>;

const LocalSecrets = z.object({ ledgerWrappingKey: z.string(), ledgerLookupKey: z.string() });
/** Where `npm start` keeps the key store. */
const keyStoreFile = "ledger-keys.json";

/** The ledger's roles that commands of operators use, and where their address is taken from. */
const roleVariables = {
  /** Everything that changes something else. */
  ledger_operator: "DATABASE_OPERATOR_URL",
  /** Reads every table, changes none. */
  ledger_verifier: "DATABASE_VERIFIER_URL",
  /** Reads contact messages; each one is recorded. */
  ledger_inbox: "DATABASE_INBOX_URL",
} as const;

/**
 * Opens the database for one command in one of the ledger's roles for operators.
 * @throws OperatorError when it is not known where it is, or it cannot be used
 */
export function withDatabaseAs<Result>(
  role: keyof typeof roleVariables,
  source: Source,
  options: DatabaseUse,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return withOperatorDatabase({ role, variable: roleVariables[role] }, source, options, work);
}

/**
 * The keys under which personal data is sealed: of the environment, or else of the instance that
 * keeps its data on this machine.
 * @throws OperatorError when neither has them
 */
export async function findLedgerKeys(source: Source): Promise<LedgerKeys> {
  if (source["LEDGER_WRAPPING_KEY"] !== undefined) return openLedgerKeys(source);
  const advice = "set LEDGER_WRAPPING_KEY, LEDGER_LOOKUP_KEY and LEDGER_KEY_STORE";
  const secrets = await readInstanceFile(source, "secrets.json", LocalSecrets, advice);
  return openLedgerKeys({
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
    LEDGER_KEY_STORE: pathToFileURL(instanceFile(source, keyStoreFile)).href,
  });
}

/**
 * The same keys, once they are known to be those of the ledger.
 * @throws OperatorError when they are not, or none are found
 */
export async function findKeyring(source: Source, sql: Sql): Promise<Keyring> {
  const log = createLogger({ service: "operator", level: "silent" });
  const keyring = openKeyring({ sql, keys: await findLedgerKeys(source), log, begin: false });
  await keyring.requireUsable().catch((cause: unknown) => {
    throw cause instanceof KeysUnavailable
      ? new OperatorError(`${cause.message}.`, { cause })
      : cause;
  });
  return keyring;
}

/** The cause of commands that an operator issues at a terminal. */
export function operatorCause(): Cause {
  const id = crypto.randomUUID();
  return { actor: "operator", causationId: id, correlationId: id };
}
