import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { key256, parseEnv, postgresUrl } from "@pro-talent/platform/config/define-env";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { z } from "zod";

import type { SubjectKeys } from "./subjects.ts";
import type { Cause } from "./types.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** Where the running instance keeps its data, `runtime.json` and `secrets.json`. */
const dataDir = { DATA_DIR: z.string().min(1).default(".data") };
const RunningDatabase = z.object({ postgres: z.object({ ownerUrl: z.string() }) });
const LocalSecrets = z.object({ ledgerWrappingKey: key256, ledgerLookupKey: key256 });

/**
 * Opens the database for one command of an operator, as its owner on one connection, and closes it
 * afterwards: `DATABASE_OWNER_URL`, or else the instance that runs on this machine.
 * @throws when there is neither
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
  } finally {
    await sql.end();
  }
}

/**
 * The keys under which personal data is sealed: of the environment, or else of the instance that
 * keeps its data on this machine.
 * @throws when neither has them
 */
export async function findSubjectKeys(source: Source): Promise<SubjectKeys> {
  const { LEDGER_WRAPPING_KEY: wrappingKey, LEDGER_LOOKUP_KEY: lookupKey } = parseEnv(
    { LEDGER_WRAPPING_KEY: key256.optional(), LEDGER_LOOKUP_KEY: key256.optional() },
    source,
  );
  if (wrappingKey !== undefined && lookupKey !== undefined) return { wrappingKey, lookupKey };
  const advice = "set LEDGER_WRAPPING_KEY and LEDGER_LOOKUP_KEY";
  const secrets = await readInstanceFile(source, "secrets.json", LocalSecrets, advice);
  return { wrappingKey: secrets.ledgerWrappingKey, lookupKey: secrets.ledgerLookupKey };
}

/**
 * A file of the instance that runs on this machine.
 * @throws Error with the advice when there is none
 */
export async function readInstanceFile<Contract extends z.ZodType>(
  source: Source,
  name: string,
  contract: Contract,
  advice: string,
): Promise<z.infer<Contract>> {
  const file = resolve(join(parseEnv(dataDir, source).DATA_DIR, name));
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`No instance runs here (no ${file}). Start it, or ${advice}.`, { cause });
  });
  return contract.parse(JSON.parse(text));
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
