import { parseEnv } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** What the collector's migrations need. @throws naming every variable that is missing or wrong */
export function readMigrationEnv(
  source: Readonly<Record<string, string | undefined>> = process.env,
) {
  return parseEnv(
    {
      /** Postgres as the database's owner; the role `collector_app` must exist. */
      DATABASE_OWNER_URL: z.url(),
      CLICKHOUSE_URL: z.url(),
      CLICKHOUSE_DATABASE: name,
      /** Name of a ClickHouse cluster: tables are then replicated and created on all its nodes. */
      CLICKHOUSE_CLUSTER: name.optional(),
    },
    source,
  );
}
