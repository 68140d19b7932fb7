import { listen } from "@pro-talent/platform/http/listen";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildLedgerApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

const env = readServiceEnv();
const log = createLogger({ service: "ledger", level: env.LOG_LEVEL });
const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "ledger" });
const app = await buildLedgerApp({
  sql,
  log,
  clock: systemClock,
  internalToken: env.INTERNAL_TOKEN,
  subjectKeys: { wrappingKey: env.LEDGER_WRAPPING_KEY, lookupKey: env.LEDGER_LOOKUP_KEY },
  publicOrigin: env.PUBLIC_ORIGIN,
  formsPerMinute: env.FORMS_PER_MINUTE,
  trustedProxies: env.TRUSTED_PROXIES,
});
const shutdown = new Shutdown(log);
shutdown.add("http", () => app.close());
shutdown.add("postgres", () => sql.end());
shutdown.listen();
await listen(app, env);
log.info("ledger is ready");
