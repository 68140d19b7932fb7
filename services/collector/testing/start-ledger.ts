import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { asRole } from "@pro-talent/platform/testing/engines";
import { z } from "zod";

export type LedgerProcess = { url: string; internalToken: string; stop: () => Promise<void> };

const Listening = z.object({ type: z.literal("listening"), url: z.url() });
const internalToken = "test-only-internal-token-0123456789";

const program = (file: string): string =>
  fileURLToPath(new URL(`../../ledger/${file}`, import.meta.url));

function run(file: string, environment: Record<string, string>): ChildProcess {
  return fork(program(file), [], {
    env: environment,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Migrates the ledger's schema and starts the real ledger, as a process of its own. */
export async function startLedger(ownerUrl: string): Promise<LedgerProcess> {
  const migration = run("migrate.ts", { DATABASE_OWNER_URL: ownerUrl });
  const [code] = await once(migration, "exit");
  if (code !== 0) throw new Error(`The ledger's migrations ended with ${String(code)}`);
  const child = run("main.ts", {
    DATABASE_URL: asRole(ownerUrl, "ledger_app"),
    INTERNAL_TOKEN: internalToken,
    LOG_LEVEL: "warn",
  });
  const exited = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    exited.then(([status]) => Promise.reject(new Error(`The ledger ended with ${String(status)}`))),
  ]);
  return {
    url: Listening.parse(message).url,
    internalToken,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
