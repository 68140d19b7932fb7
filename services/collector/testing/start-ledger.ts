import { asRole } from "@pro-talent/platform/testing/engines";

import { runProgram, startService } from "./service-process.ts";

export type LedgerProcess = { url: string; internalToken: string; stop: () => Promise<unknown> };

const internalToken = "test-only-internal-token-0123456789";

/** Migrates the ledger's schema and starts the real ledger, as a process of its own. */
export async function startLedger(ownerUrl: string): Promise<LedgerProcess> {
  await runProgram("ledger/migrate.ts", { DATABASE_OWNER_URL: ownerUrl });
  const { url, stop } = await startService("ledger/main.ts", {
    DATABASE_URL: asRole(ownerUrl, "ledger_app"),
    INTERNAL_TOKEN: internalToken,
    LEDGER_WRAPPING_KEY: "1".repeat(64),
    LEDGER_LOOKUP_KEY: "2".repeat(64),
    PUBLIC_ORIGIN: "http://localhost:3000",
    LOG_LEVEL: "warn",
  });
  return { url, internalToken, stop };
}
