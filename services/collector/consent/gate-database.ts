import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";

const statementMsMax = 2_000;

/**
 * The gate's own pool: a second connection, in case the first is stuck in a read that nobody waits
 * for any more. The server gives up such a read too.
 */
export function connectGateDatabase(url: string): Sql {
  const bounded = new URL(url);
  bounded.searchParams.set("statement_timeout", String(statementMsMax));
  return connectPostgres(bounded.toString(), { max: 2, applicationName: "collector-gate" });
}
