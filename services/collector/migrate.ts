import { fileURLToPath } from "node:url";

import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { type ClickhouseTopology, migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import type { Sql } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";

const directory = (name: string): string =>
  fileURLToPath(new URL(`migrations/${name}`, import.meta.url));

/**
 * Brings the collector's stores up to date: claims in Postgres (schema `collector`), events and
 * their aggregates in ClickHouse.
 * @param stores.sql a connection of the owner; the role `collector_app` must exist
 */
export async function migrateCollector(stores: {
  sql: Sql;
  clickhouse: ClickHouseClient;
  database: string;
  topology: ClickhouseTopology;
}): Promise<void> {
  await migratePostgres(stores.sql, { schema: "collector", directory: directory("postgres") });
  await migrateClickhouse(stores.clickhouse, {
    database: stores.database,
    directory: directory("clickhouse"),
    topology: stores.topology,
  });
}
