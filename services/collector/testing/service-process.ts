import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { asRole } from "@pro-talent/platform/testing/engines";
import { compiledModules } from "@pro-talent/platform/testing/run-program";
import { z } from "zod";

export type ServiceProcess = {
  url: string;
  /** Everything it has written to its outputs so far. */
  output: () => string;
  /** Ends it with SIGTERM and returns its exit code. */
  stop: () => Promise<number | null>;
  /** Ends it with SIGKILL. */
  kill: () => Promise<void>;
};

const Listening = z.object({ type: z.literal("listening"), url: z.url() });

function run(program: string, environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const child = fork(file, [], {
    env: { ...compiledModules, ...environment },
    execArgv: [],
    silent: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString("latin1")));
  }
  const closed = once(child, "close");
  return { child, output: () => output, closed };
}

function exitCode(child: ChildProcess): number | null {
  return child.exitCode;
}

/** Runs a program of a service (`ledger/migrate.ts`) to its end. @throws when it fails */
export async function runProgram(
  program: string,
  environment: Record<string, string>,
): Promise<void> {
  const { child, output, closed } = run(program, environment);
  await closed;
  if (exitCode(child) !== 0) throw new Error(`${program} failed:\n${output()}`);
}

/** Starts a service as a process of its own and resolves when it listens. */
export async function startService(
  program: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const { child, output, closed } = run(program, environment);
  const failed = closed.then(() => Promise.reject(new Error(`${program} ended:\n${output()}`)));
  const [message] = await Promise.race([once(child, "message"), failed]);
  failed.catch(() => undefined);
  return {
    url: Listening.parse(message).url,
    output,
    stop: async () => {
      child.kill("SIGTERM");
      await closed;
      return exitCode(child);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

export type LedgerProcess = { url: string; internalToken: string; stop: () => Promise<unknown> };

const internalToken = "test-only-internal-token-0123456789";

/** Brings the ledger's schema up to date. */
export async function migrateLedger(ownerUrl: string): Promise<void> {
  await runProgram("ledger/migrate.ts", { DATABASE_OWNER_URL: ownerUrl });
}

/** Starts the real ledger on a migrated database, as a process of its own. */
export async function startLedger(ownerUrl: string): Promise<LedgerProcess> {
  const directory = await mkdtemp(join(tmpdir(), "ledger-keys-"));
  const { url, stop } = await startService("ledger/main.ts", {
    DATABASE_URL: asRole(ownerUrl, "ledger_app"),
    INTERNAL_TOKEN: internalToken,
    // No visit needs an account.
    ACCOUNTS_URL: "http://127.0.0.1:9",
    LEDGER_WRAPPING_KEY: "1".repeat(64),
    LEDGER_LOOKUP_KEY: "2".repeat(64),
    LEDGER_KEY_STORE: pathToFileURL(join(directory, "keys.json")).href,
    PUBLIC_ORIGIN: "http://localhost:3000",
    LOG_LEVEL: "warn",
  });
  return {
    url,
    internalToken,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}
