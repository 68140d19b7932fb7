import { randomUUID } from "node:crypto";

import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { insertLines } from "@pro-talent/collector/ship/store";
import { FrameBuffer } from "@pro-talent/collector/spool/frame";
import { eventRecord, eventRow } from "@pro-talent/collector/spool/testing/rows";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import { until } from "@pro-talent/platform/testing/until";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import type { BenchOptions } from "./figures.ts";
import { generateEvents, lastDay } from "./generated-events.ts";
import { processCpuSeconds } from "./machine.ts";

const database = "bench";
/** Segments of two sizes: the difference is what rows cost, the rest what an insert costs. */
const sizes = { small: 100, large: 20_000 } as const;
const inserts = 20;
const rowsMax = 1_000_000;
const mergedTables = ["events", "sessions_agg"] as const;

const Bytes = z.array(z.object({ bytes: z.coerce.number(), rows: z.coerce.number() }));

/**
 * What events cost in ClickHouse: bytes on disk in all tables, processor time of an insert of a segment and
 * of a row in it, and of merging a row once.
 */
export async function benchStorage({ directory, rows, record }: BenchOptions): Promise<void> {
  const server = await startClickhouse({ dataDir: directory });
  const client = connectClickhouse(server.url, { application: "bench", requestTimeoutMs: 600_000 });
  try {
    await migrateClickhouse(client, {
      database,
      directory: clickhouseMigrations,
      topology: { kind: "single" },
    });
    const count = Math.min(rows, rowsMax);
    console.log(`\nstorage of ${count} events`);
    await generateEvents(client, database, count);
    record("rowBytes", await bytesPerRow(client));
    const frames = new FrameBuffer();
    frames.append([eventRecord()]);
    record("spoolBytesPerEvent", frames.bytes().length);
    const cpu = (work: () => Promise<unknown>) => cpuMsOf(server.pid() ?? 0, work);
    const small = await insertCpuMs(client, cpu, sizes.small);
    const large = await insertCpuMs(client, cpu, sizes.large);
    const ofRow = (large - small) / (sizes.large - sizes.small);
    record("insertRowCpuMs", ofRow);
    record("insertCpuMs", small - ofRow * sizes.small);
    record("mergeRowCpuMs", await mergeCpuMs(client, cpu));
  } finally {
    await client.close();
    await server.stop();
  }
}

/** Processor time of the engine's process during some work. */
async function cpuMsOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processCpuSeconds(pid);
  await work();
  return ((await processCpuSeconds(pid)) - before) * 1000;
}

async function bytesPerRow(client: ClickHouseClient): Promise<number> {
  await until("no parts are being merged", async () => (await merging(client)) === 0, 300_000);
  const result = await client.query({
    query: `SELECT sum(bytes_on_disk) AS bytes, sumIf(rows, table = 'events') AS rows
              FROM system.parts WHERE active AND database = {database:String}`,
    query_params: { database },
    format: "JSONEachRow",
  });
  const [{ bytes, rows } = { bytes: 0, rows: 1 }] = Bytes.parse(await result.json());
  return bytes / rows;
}

/** Segments as the collector ships them, of as many rows each. */
async function insertCpuMs(
  client: ClickHouseClient,
  cpu: (work: () => Promise<unknown>) => Promise<number>,
  rows: number,
): Promise<number> {
  const lines = Array.from({ length: rows }, () =>
    Buffer.from(`${JSON.stringify(eventRow({ occurred_at: `${lastDay}T12:00:00.000Z` }))}\n`),
  );
  const store = { clickhouse: client, database, signal: AbortSignal.timeout(600_000) };
  // Merges that follow are paid by the other figure.
  await forEachTable(client, "SYSTEM STOP MERGES");
  const spent = await cpu(async () => {
    for (let n = 0; n < inserts; n += 1) {
      const [segment, token] = [randomUUID(), randomUUID()];
      await insertLines(store, { table: "events_in", segment, token, lines });
    }
  });
  await forEachTable(client, "SYSTEM START MERGES");
  return spent / inserts;
}

/** All parts of each table into one, once. */
async function mergeCpuMs(
  client: ClickHouseClient,
  cpu: (work: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const spent = await cpu(async () => {
    for (const table of mergedTables)
      await client.command({ query: `OPTIMIZE TABLE ${database}.${table} FINAL` });
  });
  const result = await client.query({
    query: `SELECT 0 AS bytes, count() AS rows FROM ${database}.events`,
    format: "JSONEachRow",
  });
  return spent / (Bytes.parse(await result.json())[0]?.rows ?? 1);
}

async function merging(client: ClickHouseClient): Promise<number> {
  const result = await client.query({
    query: "SELECT 0 AS bytes, count() AS rows FROM system.merges",
    format: "JSONEachRow",
  });
  return Bytes.parse(await result.json())[0]?.rows ?? 0;
}

async function forEachTable(client: ClickHouseClient, statement: string): Promise<void> {
  const result = await client.query({
    query: `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree'`,
    query_params: { database },
    format: "JSONEachRow",
  });
  for (const { name } of z.array(z.object({ name: z.string() })).parse(await result.json()))
    await client.command({ query: `${statement} ${database}.${name}` });
}
