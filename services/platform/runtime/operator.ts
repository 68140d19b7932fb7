import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";

import { z } from "zod";

import { parseEnv, postgresUrl } from "../config/define-env.ts";
import { missingDatabase } from "../postgres/missing-database.ts";
import { openPool, type Sql } from "../postgres/pool.ts";
import { type Clock, readClock, systemClock } from "./clock.ts";
import { OperatorError } from "./operator-error.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** Where the running instance keeps its data, `runtime.json` and `secrets.json`. */
const dataDir = { DATA_DIR: z.string().min(1).default(".data") };
const RunningDatabase = z.object({
  postgres: z.object({
    ownerUrl: z.string(),
    operatorUrls: z.record(z.string(), z.string()).default({}),
  }),
});

/** Of migrations and rebuilds, which make tables, and of what no other role may do. */
export const ownerVariable = "DATABASE_OWNER_URL";

export type DatabaseUse = { applicationName: string; statementSecondsMax?: number };

/**
 * Opens the database for one command of an operator, in a role and on one connection, and closes it
 * afterwards: the role's address in the environment, or else the instance that runs on this machine.
 * @param role `owner`, or a role of operators
 * @param variable names the address in the environment
 * @throws OperatorError when there is neither, or its database cannot be used
 */
export async function withOperatorDatabase<Result>(
  { role, variable }: { role: string; variable: string },
  source: Source,
  options: DatabaseUse,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = openPool(await addressFor(role, variable, source), { max: 1, ...options });
  try {
    return await work(sql);
  } catch (error) {
    throw missingDatabase(error, variable) ?? error;
  } finally {
    await sql.end();
  }
}

/** {@link withOperatorDatabase} as the owner. */
export function withOwnerDatabase<Result>(
  source: Source,
  options: DatabaseUse,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return withOperatorDatabase({ role: "owner", variable: ownerVariable }, source, options, work);
}

async function addressFor(role: string, variable: string, source: Source): Promise<string> {
  const { [variable]: set } = parseEnv({ [variable]: postgresUrl.optional() }, source);
  if (set !== undefined) return set;
  const advice = `set ${variable}`;
  const { postgres } = await readInstanceFile(source, "runtime.json", RunningDatabase, advice);
  const found = role === "owner" ? postgres.ownerUrl : postgres.operatorUrls[role];
  if (found === undefined) throw new OperatorError(`No address of ${role} is known: ${advice}.`);
  return found;
}

/** Where a file of the instance is that keeps its data on this machine. */
export function instanceFile(source: Source, name: string): string {
  return resolve(join(parseEnv(dataDir, source).DATA_DIR, name));
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
  const file = instanceFile(source, name);
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

/** In the data directory of `npm start`: how far the test clock of its services is ahead. */
export const testClockFile = "test-clock.json";

/** The clock of the services that a command of an operator works on; in production the system's. */
export function operatorClock(source: Source): Clock {
  if (source["NODE_ENV"] === "production") return systemClock;
  return readClock({ TEST_CLOCK_FILE: instanceFile(source, testClockFile), ...source });
}
