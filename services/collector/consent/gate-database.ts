import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";

const statementMsMax = 2_000;

/**
 * The gate's own pool: two connections, as many as reads may be under way. The server gives up a
 * read that its askers no longer wait for.
 */
export function connectGateDatabase(url: string): Sql {
  const bounded = new URL(url);
  bounded.searchParams.set("statement_timeout", String(statementMsMax));
  return connectPostgres(bounded.toString(), { max: 2, applicationName: "collector-gate" });
}
