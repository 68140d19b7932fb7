import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";

import { buildLedgerApp, type LedgerAppOptions } from "../app.ts";
import { internalToken, type TestLedger } from "./create-test-ledger.ts";

export { internalToken };

/** The HTTP service over a test ledger, with all domains and practically no rate limits, unless changed. */
export function buildTestApp(
  { sql, clock, publicOrigin, accounts, testKeys }: TestLedger,
  change: Partial<LedgerAppOptions> = {},
): Promise<FastifyInstance> {
  return buildLedgerApp({
    sql,
    clock,
    publicOrigin,
    log: createLogger({ service: "ledger", level: "silent" }),
    keys: testKeys.keys,
    accounts,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    environment: { RECEIPTS_PER_MINUTE: "10000" },
    ...change,
  });
}
