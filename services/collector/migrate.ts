import { fileURLToPath } from "node:url";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import {
  type ClickhouseTopology,
  migrateClickhouse,
} from "@pro-talent/platform/clickhouse/migrate";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { runMigrations } from "@pro-talent/platform/runtime/run-migrations";

import { readMigrationEnv } from "./env.ts";
import { shardingKeys } from "./sharding-keys.ts";

const directory = (name: string): string =>
  fileURLToPath(new URL(`migrations/${name}`, import.meta.url));

/** Directory of the ClickHouse migrations, for a database without claims. */
export const clickhouseMigrations = directory("clickhouse");

/** Brings the collector's part of Postgres up to date. @returns as {@link migrateCollector} */
export async function migrateCollectorPostgres(ownerUrl: string): Promise<string[]> {
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "collector-migrate" });
  try {
    return await migratePostgres(sql, { schema: "collector", directory: directory("postgres") });
  } finally {
    await sql.end();
  }
}

/**
 * Brings the collector's stores up to date: claims in Postgres (schema `collector`), events, their
 * aggregates and the analysts' views in ClickHouse; and the worker's queue, if it has an address.
 * @returns the names of the migrations that were applied now
 * @throws when the role `collector_app` does not exist, or an applied migration was changed
 */
export async function migrateCollector(stores: {
  ownerUrl: string;
  clickhouseUrl: string;
  database: string;
  topology?: ClickhouseTopology;
  /** Of the worker's queue, if it is to be made too. */
  queueUrl?: string | undefined;
}): Promise<string[]> {
  const { ownerUrl, clickhouseUrl, database, queueUrl, topology = { kind: "single" } } = stores;
  if (queueUrl !== undefined) {
    await migrateQueue({ queueUrl, ownerUrl, name: "collector", role: "jobs_app" });
  }
  const clickhouse = connectClickhouse(clickhouseUrl, { application: "collector-migrate" });
  try {
    return [
      ...(await migrateCollectorPostgres(ownerUrl)),
      ...(await migrateClickhouse(clickhouse, {
        database,
        directory: clickhouseMigrations,
        topology,
      })),
    ];
  } finally {
    await clickhouse.close();
  }
}

if (import.meta.main) {
  await runMigrations("collector", () => {
    const env = readMigrationEnv(process.env);
    const { DATABASE_OWNER_URL: ownerUrl, CLICKHOUSE_CLUSTER: cluster } = env;
    const stores = {
      ownerUrl,
      clickhouseUrl: env.CLICKHOUSE_URL,
      database: env.CLICKHOUSE_DATABASE,
      queueUrl: env.QUEUE_URL,
      topology:
        cluster === undefined
          ? ({ kind: "single" } as const)
          : ({ kind: "cluster", cluster, shardingKeys } as const),
    };
    return { ownerUrl, apply: () => migrateCollector(stores) };
  });
}
