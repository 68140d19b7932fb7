import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { sweepErasures } from "@pro-talent/collector/erase/erase-rows";
import type { Pending } from "@pro-talent/collector/erase/erasures";
import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { searchClickhouse } from "@pro-talent/collector/search-clickhouse";
import { visitorOfLink } from "@pro-talent/collector/session/identity";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { type BenchOptions, latencies } from "./figures.ts";
import { generateEvents } from "./generated-events.ts";

const database = "bench";
const quietMs = 10_000;
/** What an administrator looks at meanwhile. */
const questions = [
  "SELECT channel, count() FROM sessions WHERE day = '2026-03-18' GROUP BY channel",
  "SELECT page, sum(page_views) FROM page_views_daily WHERE day > '2026-03-01' GROUP BY page",
];

/** Generated pseudonyms have no version. */
const Visitors = z.array(z.object({ visitor: z.string().brand<"VisitorId">() }));

/**
 * Searches generated events for what was erased. Erases one visitor among them, then a day's thousand at once, while questions are asked
 * one after another; prints how long it took and what the questions waited, before and meanwhile.
 */
export async function benchErasure({ directory, rows }: BenchOptions): Promise<void> {
  const server = await startClickhouse({ dataDir: directory });
  const clickhouse = connectClickhouse(server.url, {
    application: "bench",
    requestTimeoutMs: 600_000,
  });
  try {
    const topology = { kind: "single" } as const;
    await migrateClickhouse(clickhouse, { database, directory: clickhouseMigrations, topology });
    await generateEvents(clickhouse, database, rows);
    console.log(`\nerasure among ${rows} events`);
    const quiet = await askWhile(clickhouse, delay(quietMs));
    console.log(`  questions alone                 ${latencies(quiet)}`);
    for (const searches of [1, 20]) await measureSearch(clickhouse, searches);
    for (const subjects of [1, 1_000]) await measure(clickhouse, subjects);
  } finally {
    await clickhouse.close();
    await server.stop();
  }
}

/** The search that ends an erasure reads every text and id of every row, once for all that wait for it. */
async function measureSearch(clickhouse: ClickHouseClient, searches: number): Promise<void> {
  const traces = Array.from({ length: searches }, () => ({
    values: [
      `${randomUUID()}@example.com`,
      "נועה בן־דוד",
      "+972 54 123 4567",
      `/l/${randomUUID()}`,
    ],
    ids: [randomUUID(), randomUUID(), randomUUID()],
  }));
  const begin = performance.now();
  const searching = searchClickhouse({ clickhouse, database }, traces);
  const times = await askWhile(clickhouse, searching);
  const [found] = await searching;
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `  search for ${searches}: ${found?.searched} rows, decoy ${found?.decoy ? "found" : "missing"}: ${seconds.toFixed(1)} s; questions meanwhile ${latencies(times)}`,
  );
}

async function measure(clickhouse: ClickHouseClient, subjects: number): Promise<void> {
  const found = await clickhouse.query({
    query: `SELECT DISTINCT visitor_id AS visitor FROM ${database}.events LIMIT ${subjects}`,
    format: "JSONEachRow",
  });
  const pending = Visitors.parse(await found.json()).map(({ visitor }): Pending => {
    const readerKey = Buffer.from(visitor);
    const state = { swept: false, settled: true };
    return { erasureId: visitor, kind: "visitor", id: visitor, readerKey, ...state };
  });
  let deleted = 0;
  const erasures = {
    pending: async () => pending,
    passed: async (passed: ReadonlyMap<string, number>) => {
      deleted = [...passed.values()].reduce((sum, rows) => sum + rows, 0);
    },
  };
  const begin = performance.now();
  const sweeping = sweepErasures({ clickhouse, database, visitorOfLink }, erasures);
  const times = await askWhile(clickhouse, sweeping);
  const { done } = await sweeping;
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `  ${done} of ${subjects} visitors, ${deleted} rows: ${seconds.toFixed(1)} s; questions meanwhile ${latencies(times)}`,
  );
}

/** How long each answer took, in milliseconds, until something has ended. */
async function askWhile(clickhouse: ClickHouseClient, ending: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const ended = new AbortController();
  const end = ending.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    for (const question of questions) {
      const begin = performance.now();
      const result = await clickhouse.query({
        query: question.replace(/FROM /u, `FROM ${database}.`),
        format: "JSONEachRow",
      });
      await result.json();
      times.push(performance.now() - begin);
    }
  }
  await end;
  return times;
}
