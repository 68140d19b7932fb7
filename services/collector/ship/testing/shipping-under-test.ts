import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  asRole,
  createTestClickhouse,
  createTestPostgres,
  type TestClickhouse,
} from "@pro-talent/platform/testing/engines";
import { Registry } from "prom-client";

import { clickhouseMigrations, migrateCollectorPostgres } from "../../migrate.ts";
import type { SpoolRecord } from "../../spool/frame.ts";
import type { ClosedSegment } from "../../spool/segment.ts";
import { Spool } from "../../spool/spool.ts";
import { Shipper } from "../shipper.ts";

/** The collector's stores, empty and migrated, with Postgres as the collector may use it. */
export type Stores = {
  clickhouse: TestClickhouse;
  sql: Sql;
  /** Rows of a query; `{db}` is replaced by the database. */
  rows(query: string): Promise<Record<string, unknown>[]>;
  /** The only value of a query's only row, as a number. */
  count(query: string): Promise<number>;
  drop(): Promise<void>;
};

export async function createStores(): Promise<Stores> {
  const [postgres, clickhouse] = await Promise.all([
    createTestPostgres({ name: "collector", migrate: migrateCollectorPostgres }),
    createTestClickhouse(clickhouseMigrations),
  ]);
  const sql = openPool(asRole(postgres.ownerUrl, "collector_app"), {
    max: 4,
    applicationName: "test",
  });
  const rows = async (query: string): Promise<Record<string, unknown>[]> => {
    const result = await clickhouse.client.query({
      query: query.replaceAll("{db}", clickhouse.database),
      format: "JSONEachRow",
    });
    return result.json<Record<string, unknown>>();
  };
  return {
    clickhouse,
    sql,
    rows,
    count: async (query) => Number(Object.values((await rows(query))[0] ?? {})[0] ?? Number.NaN),
    drop: async () => {
      await sql.end();
      await clickhouse.drop();
      await postgres.drop();
    },
  };
}

export type Shipping = {
  directory: string;
  spool: Spool;
  shipper: Shipper;
  metrics: Registry;
  /** Appends, closes the segment and waits until everything is stored. */
  store(records: readonly SpoolRecord[]): Promise<void>;
  metric(name: string): Promise<number>;
  files(): Promise<string[]>;
  /** Ends it all; what is not shipped stays in the directory. */
  stop(): Promise<void>;
};

export const silent = createLogger({ service: "test", level: "silent" });

/** A spool whose segments are shipped, like in a running collector. */
export async function startShipping(
  stores: Stores,
  options: {
    directory?: string;
    clickhouseUrl?: string;
    clock?: () => number;
    onSegment?: (segment: ClosedSegment) => void;
    segmentRecordsMax?: number;
  } = {},
): Promise<Shipping> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "shipping-")));
  const metrics = new Registry();
  const clickhouse = connectClickhouse(options.clickhouseUrl ?? stores.clickhouse.url, {
    application: "test-shipper",
  });
  const shipper = new Shipper({
    clickhouse,
    database: stores.clickhouse.database,
    sql: stores.sql,
    metrics,
    log: silent,
    clock: options.clock ?? Date.now,
  });
  const spool = await Spool.open({
    directory,
    bytesMax: 1024 ** 3,
    segmentMsMax: 60_000,
    segmentRecordsMax: options.segmentRecordsMax ?? 10_000,
    onSegment: options.onSegment ?? ((segment) => shipper.accept(segment)),
    log: silent,
  });
  return {
    directory,
    spool,
    shipper,
    metrics,
    store: async (records) => {
      await spool.append(records);
      await spool.rotate();
      if (!(await shipper.drain(20_000))) throw new Error("not shipped within 20 s");
    },
    metric: async (name) => {
      const found = await metrics.getSingleMetric(name)?.get();
      return (found?.values ?? []).reduce((sum, { value }) => sum + value, 0);
    },
    files: async () =>
      (await readdir(directory)).filter((name) => name.endsWith(".segment")).toSorted(),
    stop: async () => {
      await spool.close();
      await shipper.stop();
      await clickhouse.close();
    },
  };
}

/** The tables of ClickHouse that store rows. */
export const storedTables = [
  "events",
  "sessions_agg",
  "page_views_agg",
  "referrers_agg",
  "audience_agg",
  "counters_daily",
];

export async function emptyTables({ clickhouse }: Stores): Promise<void> {
  for (const table of storedTables) {
    await clickhouse.client.command({ query: `TRUNCATE TABLE ${clickhouse.database}.${table}` });
  }
}

/** Deletes a spool's directory. */
export function removeDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}
