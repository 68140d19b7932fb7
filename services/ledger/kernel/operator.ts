import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { parseEnv, postgresUrl } from "@pro-talent/platform/config/define-env";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
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
const RunningDatabase = z.object({ postgres: z.object({ ownerUrl: z.string() }) });
const LocalSecrets = z.object({ ledgerWrappingKey: z.string(), ledgerLookupKey: z.string() });
/** Where `npm start` keeps the key store. */
const keyStoreFile = "ledger-keys.json";

/**
 * Opens the database for one command of an operator, as its owner on one connection, and closes it
 * afterwards: `DATABASE_OWNER_URL`, or else the instance that runs on this machine.
 * @throws OperatorError when there is neither, or its database cannot be used
 */
export async function withOwnerDatabase<Result>(
  source: Source,
  options: { applicationName: string; statementSecondsMax?: number },
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_OWNER_URL: url } = parseEnv(
    { DATABASE_OWNER_URL: postgresUrl.optional() },
    source,
  );
  const ownerUrl =
    url ??
    (await readInstanceFile(source, "runtime.json", RunningDatabase, "set DATABASE_OWNER_URL"))
      .postgres.ownerUrl;
  const sql = openPool(ownerUrl, { max: 1, ...options });
  try {
    return await work(sql);
  } catch (error) {
    throw missingDatabase(error) ?? error;
  } finally {
    await sql.end();
  }
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
  const keyring = openKeyring({ sql, keys: await findLedgerKeys(source), log });
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

/** Refusals of a database by their SQLSTATE (PostgreSQL documentation, Appendix A). */
const missing: Readonly<Record<string, string>> = {
  "28000": "The database does not know this user",
  "28P01": "The database refuses this password",
  "3D000": "The server has no such database",
  "3F000": "The database has no ledger",
  "42P01": "The database has no ledger, or one of another version",
  "42501": "The database does not let this user do that",
  "57P03": "The database is starting up; try again in a moment",
};

/** What is missing, if that is what a command failed with. */
function missingDatabase(error: unknown): OperatorError | undefined {
  const isAway = error instanceof PostgresUnavailable;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = missing[code] ?? (isAway ? "The database does not answer" : undefined);
  if (reason === undefined) return undefined;
  const advice = "Is the platform running, or DATABASE_OWNER_URL the right address?";
  return new OperatorError(`${reason} (${code}). ${advice}`, { cause: error });
}

/** The cause of commands that an operator issues at a terminal. */
export function operatorCause(): Cause {
  const id = crypto.randomUUID();
  return { actor: "operator", causationId: id, correlationId: id };
}

/** Writes one line for the operator. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
