import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { AnalystEngines } from "./analysts/engines.ts";
import { ledgerOver } from "./analysts/ledger-of-queries.ts";
import { RunningQueries } from "./analysts/running.ts";
import { buildInsightsApp } from "./app.ts";
import { Questions } from "./ask.ts";
import { readServiceEnv } from "./env.ts";
import { LiveOpens } from "./live.ts";
import { ownersOver } from "./owners.ts";

/** Opens the service. */
export const openInsights: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const clock = readClock(source);
  const sql = openPool(env.DATABASE_URL, { max: 5, applicationName: "insights" });
  const clickhouse = connectClickhouse(env.CLICKHOUSE_URL, {
    application: "insights",
    database: env.CLICKHOUSE_DATABASE,
  });
  const { INTERNAL_TOKEN: internalToken } = env;
  const owners = ownersOver(
    { url: env.LEDGER_URL, internalToken },
    { url: env.ACCOUNTS_URL, internalToken },
  );
  const context = { questions: new Questions(clickhouse), owners, clock };
  const sessions = readSignInSessions(sql, clock);
  const engines = new AnalystEngines({
    url: env.CLICKHOUSE_URL,
    database: env.CLICKHOUSE_DATABASE,
    pseudonymSecret: env.ANALYSTS_PSEUDONYM_KEY,
    usersSecret: env.CLICKHOUSE_ANALYSTS_KEY,
  });
  const analysts = {
    engineOf: (analystId: string) => engines.of(analystId),
    ...ledgerOver({ url: env.LEDGER_URL, internalToken }),
    running: new RunningQueries(clock),
    clock,
  };
  const app = await buildInsightsApp({
    context,
    analysts,
    processes: env.PROCESSES,
    sessions,
    live: new LiveOpens({ context, sessions, log }),
    log,
    internalToken,
    publicOrigin: env.PUBLIC_ORIGIN,
    trustedProxies: env.TRUSTED_PROXIES,
    callsPerMinute: env.CALLS_PER_MINUTE,
    ready: {
      postgres: async () => (await sql`select`).length === 1,
      clickhouse: async () => (await clickhouse.ping()).success,
    },
  });
  const closing = new Shutdown(log);
  closing.add("http", () => app.close());
  closing.add("clickhouse", () => clickhouse.close());
  closing.add("analysts", () => engines.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
