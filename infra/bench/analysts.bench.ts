import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { AnalystEngines } from "@pro-talent/insights/analysts/engines";
import { questionSql } from "@pro-talent/insights/analysts/questions/sql";
import { openQuery, type QueryEngine, runQuery } from "@pro-talent/insights/analysts/run-query";
import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { QueryFormat } from "@pro-talent/schemas/analysts/events";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { dayPlus, Day } from "@pro-talent/schemas/primitives/calendar";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { startDrillStack } from "../faults/drill-stack.ts";
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, latencies, median, quantile } from "./figures.ts";
import { generateEvents, lastDay } from "./generated-events.ts";
import { type LoadResult, steadyLoad } from "./load.ts";

const database = "bench";
const runs = 20;
const rounds = 5;
/** Below what one core can do, so that what waits is waiting for others. */
const arrivalsPerSecond = 300;
/** Nothing of it can be skipped, and it reaches every limit of time. */
const runaway =
  "SELECT sum(sqrt(a.number + b.number)) FROM numbers(90000000) AS a, numbers(1000) AS b GROUP BY a.number % 1000";
const exported =
  "SELECT number, toString(number) AS text, now() AS at, number / 7 AS share FROM numbers(1000000)";

/**
 * Queries of analysts as the service runs them: ready-made questions on generated events, a million rows as
 * a file, and what the collector's visitors notice while as many queries run as may, each beyond its limits.
 */
export async function benchAnalysts({ directory, rows, seconds }: BenchOptions): Promise<void> {
  await benchQuestions(join(directory, "questions"), rows);
  await benchRunaways(join(directory, "stack"), seconds);
}

function engineOf(url: string, of: string): { engine: QueryEngine; close: () => Promise<void> } {
  const secret = Buffer.alloc(32, 1);
  const engines = new AnalystEngines({
    url,
    database: of,
    pseudonymSecret: secret,
    usersSecret: undefined,
  });
  return { engine: engines.of(randomUUID()), close: () => engines.close() };
}

const asked = (text: string, format: QueryFormat, parameters: Record<string, string> = {}) => ({
  queryId: randomUUID(),
  text,
  format,
  parameters,
  signal: AbortSignal.timeout(120_000),
});

async function benchQuestions(directory: string, rows: number): Promise<void> {
  const server = await startClickhouse({ dataDir: directory });
  const admin = connectClickhouse(server.url, { application: "bench", requestTimeoutMs: 900_000 });
  const { engine, close } = engineOf(server.url, database);
  try {
    const topology = { kind: "single" } as const;
    await migrateClickhouse(admin, { database, directory: clickhouseMigrations, topology });
    await generateEvents(admin, database, rows);
    console.log(`\nready-made questions over 30 days on ${rows} events`);
    const parameters = { from: dayPlus(Day.parse(lastDay), -29), to: lastDay };
    for (const [name, text] of Object.entries(questionSql)) {
      const figures = await timesOf(engine, text, parameters);
      console.log(`  ${figures}  (${runs} runs)  ${name}`);
    }
    for (const format of ["parquet", "csv", "rows"] as const) await exportAs(engine, format);
  } finally {
    await close();
    await admin.close();
    await server.stop();
  }
}

/** What a limit refuses is a figure as well. The first answer is not counted: it reads the disk. */
async function timesOf(
  engine: QueryEngine,
  text: string,
  parameters: Record<string, string>,
): Promise<string> {
  const times: number[] = [];
  try {
    for (let run = 0; run <= runs; run += 1) {
      const begin = performance.now();
      await runQuery(engine, asked(text, "json", parameters));
      if (run > 0) times.push(performance.now() - begin);
    }
    return latencies(times);
  } catch (error) {
    if (error instanceof ProblemError) return `${error.code}: ${error.errors?.[0]?.message ?? ""}`;
    throw error;
  }
}

async function exportAs(engine: QueryEngine, format: QueryFormat): Promise<void> {
  const begin = performance.now();
  let [size, first] = [0, 0];
  const { parts } = await openQuery(engine, asked(exported, format));
  for await (const bytes of parts) {
    if (size === 0) first = performance.now() - begin;
    size += bytes.length;
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(2);
  console.log(
    `  a million rows as ${format}: ${seconds} s, ${(size / 1e6).toFixed(1)} MB, first byte after ${first.toFixed(0)} ms`,
  );
}

type Side = "alone" | "beside runaway queries";

async function benchRunaways(directory: string, seconds: number): Promise<void> {
  const stack = await startDrillStack({ directory, collectors: 1 });
  const { engine, close } = engineOf(stack.clickhouse.url, "pro_talent");
  try {
    const [collector] = stack.collectors;
    if (collector === undefined) throw new Error("No collector runs");
    const next = pageViews(await startConsentedVisits(collector.url, 500));
    const loaded = () =>
      steadyLoad({
        url: collector.url,
        seconds,
        next,
        expected: 202,
        perSecond: arrivalsPerSecond,
      });
    await loaded();
    const results: Record<Side, LoadResult[]> = { alone: [], "beside runaway queries": [] };
    console.log(
      `\ncollector, ${arrivalsPerSecond} arrivals/s, alone and beside ${analystLimits.runningMax} runaway queries`,
    );
    for (let round = 0; round < rounds; round += 1) {
      const sides: Side[] = ["alone", "beside runaway queries"];
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const stop = side === "alone" ? async () => undefined : keepRunning(engine);
        const result = await loaded();
        await stop();
        await stack.untilShipped(120_000);
        results[side].push(result);
        console.log(
          `  ${side.padEnd(24)} p50 ${result.p50Ms} ms  p99 ${result.p99Ms} ms  refused ${result.refused}`,
        );
      }
    }
    const p99 = (side: Side) => results[side].map(({ p99Ms }) => p99Ms);
    const [alone, beside] = [median(p99("alone")), median(p99("beside runaway queries"))];
    const worst = quantile(p99("beside runaway queries"), 1);
    console.log(
      `  p99: median ${alone} ms and ${beside} ms (${(beside / alone).toFixed(2)}), worst ${worst} ms`,
    );
  } finally {
    await close();
    await stack.stop();
  }
}

/** As many queries as may run, each begun anew when it was ended. @returns what ends them */
function keepRunning(engine: QueryEngine): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const all = Array.from({ length: analystLimits.runningMax }, async () => {
    while (!signal.aborted) {
      await runQuery(engine, { ...asked(runaway, "json"), signal }).catch(() => undefined);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(all);
  };
}
