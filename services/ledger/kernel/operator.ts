import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { parseEnv, postgresUrl } from "@pro-talent/platform/config/define-env";
import { missingDatabase } from "@pro-talent/platform/postgres/missing-database";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { LedgerKeys } from "./keys/check-keys.ts";
import { KeysUnavailable } from "./keys/key-store.ts";
import { type Keyring, openKeyring } from "./keys/keyring.ts";
import { openLedgerKeys } from "./keys/open-keys.ts";
import type { Cause } from "./types.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** Where the running instance keeps its data, `runtime.json` and `secrets.json`. */
const dataDir = { DATA_DIR: z.string().min(1).default(".data") };
const RunningDatabase = z.object({
  postgres: z.object({
    ownerUrl: z.string(),
    operatorUrls: z.record(z.string(), z.string()).default({}),
  }),
});
const LocalSecrets = z.object({ ledgerWrappingKey: z.string(), ledgerLookupKey: z.string() });
/** Where `npm start` keeps the key store. */
const keyStoreFile = "ledger-keys.json";

/** The roles that commands of operators use, and where their address is taken from. */
const roleVariables = {
  /** Migrations and rebuilds, which make tables. */
  owner: "DATABASE_OWNER_URL",
  /** Everything that changes something else. */
  ledger_operator: "DATABASE_OPERATOR_URL",
  /** Reads every table, changes none. */
  ledger_verifier: "DATABASE_VERIFIER_URL",
  /** Reads contact messages; each one is recorded. */
  ledger_inbox: "DATABASE_INBOX_URL",
} as const;
export type CommandRole = keyof typeof roleVariables;

export type DatabaseUse = { applicationName: string; statementSecondsMax?: number };

/**
 * Opens the database for one command of an operator, in a role and on one connection, and closes it
 * afterwards: the role's address in the environment, or else the instance that runs on this machine.
 * @throws OperatorError when there is neither, or its database cannot be used
 */
export async function withDatabaseAs<Result>(
  role: CommandRole,
  source: Source,
  options: DatabaseUse,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const variable = roleVariables[role];
  const sql = openPool(await addressFor(role, source), { max: 1, ...options });
  try {
    return await work(sql);
  } catch (error) {
    throw missingDatabase(error, variable) ?? error;
  } finally {
    await sql.end();
  }
}

/** {@link withDatabaseAs} the owner. */
export function withOwnerDatabase<Result>(
  source: Source,
  options: DatabaseUse,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return withDatabaseAs("owner", source, options, work);
}

async function addressFor(role: CommandRole, source: Source): Promise<string> {
  const variable = roleVariables[role];
  const { [variable]: set } = parseEnv({ [variable]: postgresUrl.optional() }, source);
  if (set !== undefined) return set;
  const advice = `set ${variable}`;
  const { postgres } = await readInstanceFile(source, "runtime.json", RunningDatabase, advice);
  const found = role === "owner" ? postgres.ownerUrl : postgres.operatorUrls[role];
  if (found === undefined) throw new OperatorError(`No address of ${role} is known: ${advice}.`);
  return found;
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
  const file = resolve(join(parseEnv(dataDir, source).DATA_DIR, keyStoreFile));
  return openLedgerKeys({
    LEDGER_WRAPPING_KEY: secrets.ledgerWrappingKey,
    LEDGER_LOOKUP_KEY: secrets.ledgerLookupKey,
    LEDGER_KEY_STORE: pathToFileURL(file).href,
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

/**
 * A file of the instance that runs on this machine.
 * @throws OperatorError with the advice when there is none, or none of this version
 */
export async function readInstanceFile<Contract extends z.ZodType>(
  source: Source,
  name: string,
  contract: Contract,
  advice: string,
): Promise<z.infer<Contract>> {
  const file = resolve(join(parseEnv(dataDir, source).DATA_DIR, name));
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new OperatorError(`No instance runs here (no ${file}). Start it, or ${advice}.`, {
      cause,
    });
  });
  const read = contract.safeParse(asJson(text));
  if (read.success) return read.data;
  throw new OperatorError(`${file} is not what this version writes. Start it again, or ${advice}.`);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The cause of commands that an operator issues at a terminal. */
export function operatorCause(): Cause {
  const id = crypto.randomUUID();
  return { actor: "operator", causationId: id, correlationId: id };
}

/**
 * The operator, by the name of the account on this machine: what is done without an event is recorded
 * with it.
 */
export function operatorName(): string {
  return (
    userInfo()
      .username.replaceAll(/[^\w.@-]/g, "_")
      .slice(0, 64) || "unknown"
  );
}

/** Writes one line for the operator. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
