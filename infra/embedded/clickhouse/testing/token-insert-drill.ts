import { randomInt } from "node:crypto";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { ClickHouseClient } from "@clickhouse/client";
import { until } from "@pro-talent/platform/testing/until";

import type { RunningClickhouse } from "../start-clickhouse.ts";
import { untilSuccess } from "./engine-under-test.ts";

const ROWS_PER_BATCH = 20;
const WINDOW = "non_replicated_deduplication_window = 10000";

const SCHEMA = [
  "CREATE DATABASE app",
  `CREATE TABLE app.raw (id UInt64, site UInt8, at DateTime) ENGINE = MergeTree
   PARTITION BY toYYYYMM(at) ORDER BY (site, id) SETTINGS ${WINDOW}`,
  `CREATE TABLE app.states (site UInt8, n AggregateFunction(count), ids AggregateFunction(uniqExact, UInt64))
   ENGINE = AggregatingMergeTree ORDER BY site SETTINGS ${WINDOW}`,
  `CREATE TABLE app.sums (day Date, n UInt64) ENGINE = SummingMergeTree ORDER BY day SETTINGS ${WINDOW}`,
  `CREATE MATERIALIZED VIEW app.to_states TO app.states AS
   SELECT site, countState() AS n, uniqExactState(id) AS ids FROM app.raw GROUP BY site`,
  "CREATE MATERIALIZED VIEW app.to_sums TO app.sums AS SELECT toDate(at) AS day, count() AS n FROM app.raw GROUP BY day",
];

const COUNTS = `SELECT (SELECT count() FROM app.raw) AS raw, (SELECT uniqExact(id) FROM app.raw) AS distinct,
  (SELECT countMerge(n) FROM app.states) AS states, (SELECT uniqExactMerge(ids) FROM app.states) AS state_ids,
  (SELECT sum(n) FROM app.sums) AS sums`;

/**
 * Where the process is killed: at any time, or the moment a file of a table appears: its log of
 * tokens (`…-log`: the record is written, the part is not yet in place) or its part (`…-part`: the
 * part is in place, the next table may not have its own yet).
 */
const MOMENTS = [
  "any",
  "raw-log",
  "raw-part",
  "states-log",
  "states-part",
  "sums-log",
  "sums-part",
] as const;

export type DrillReport = {
  batches: number;
  repeated: number;
  kills: number;
  expected: number;
  counts: unknown;
};

function batch(number: number): string {
  const rows = Array.from({ length: ROWS_PER_BATCH }, (_, index) => {
    const at = index % 2 === 0 ? "2026-10-20 10:00:00" : "2026-11-20 10:00:00";
    return JSON.stringify({ id: number * ROWS_PER_BATCH + index, site: index % 5, at });
  });
  return rows.join("\n");
}

async function insert(client: ClickHouseClient, number: number): Promise<void> {
  const settings = `insert_deduplication_token = 'batch-${number}', deduplicate_blocks_in_dependent_materialized_views = 1`;
  await client.command({
    query: `INSERT INTO app.raw SETTINGS ${settings} FORMAT JSONEachRow\n${batch(number)}`,
  });
}

async function dataPaths(client: ClickHouseClient): Promise<Map<string, string>> {
  const query =
    "SELECT name, data_paths[1] AS path FROM system.tables WHERE database = 'app' AND engine LIKE '%MergeTree'";
  const result = await client.query({ query, format: "JSONEachRow" });
  const tables = await result.json<{ name: string; path: string }>();
  return new Map(tables.map(({ name, path }) => [name, path]));
}

/** Kills the engine's process at one of the moments, as soon as it comes. */
async function killAt(
  clickhouse: RunningClickhouse,
  moment: string,
  paths: Map<string, string>,
): Promise<void> {
  const pid = clickhouse.pid();
  if (pid === undefined) throw new Error("The engine does not run");
  await delay(randomInt(30));
  if (moment === "any") return void process.kill(pid, "SIGKILL");
  const [table = "", what] = moment.split("-");
  const dir = paths.get(table) ?? "";
  const watched = what === "log" ? join(dir, "deduplication_logs") : dir;
  await new Promise<void>((resolve) => {
    const watcher = watch(watched, (_, name) => {
      if (
        what === "part" &&
        (name === null || !/^\w+_\d+_\d+_\d+$/.test(name) || name.startsWith("tmp"))
      )
        return;
      process.kill(pid, "SIGKILL");
      watcher.close();
      resolve();
    });
  });
}

/**
 * Writes numbered batches with their own tokens while the engine is killed again and again. A batch
 * is sent until it is acknowledged, and sometimes again afterwards.
 * @returns how many rows there must be and what the table and its two views hold
 */
export async function runTokenInsertDrill(
  clickhouse: RunningClickhouse,
  client: ClickHouseClient,
  kills: number,
): Promise<DrillReport> {
  const restarts = clickhouse.restarts();
  for (const query of SCHEMA) await client.command({ query });
  const paths = await dataPaths(client);
  let batches = 0;
  let repeated = 0;
  const state = { done: false };
  const writing = (async () => {
    while (!state.done) {
      await untilSuccess(() => insert(client, batches));
      batches += 1;
      if (randomInt(4) > 0) continue;
      await untilSuccess(() => insert(client, randomInt(Math.max(0, batches - 50), batches)));
      repeated += 1;
    }
  })();
  for (let kill = 0; kill < kills; kill += 1) {
    const before = batches;
    await until("batches are written", () => batches > before + 1, 30_000);
    await killAt(clickhouse, MOMENTS[kill % MOMENTS.length] ?? "any", paths);
    await until("the engine is replaced", () => clickhouse.restarts() > restarts + kill, 30_000);
  }
  state.done = true;
  await writing;
  const result = await client.query({ query: COUNTS, format: "JSONEachRow" });
  const [counts] = await result.json();
  return { batches, repeated, kills, expected: batches * ROWS_PER_BATCH, counts };
}
