import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { dropDay } from "@pro-talent/collector/erase/drop-days";
import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { storeDays } from "@pro-talent/collector/store-days";
import { AnalystEngines } from "@pro-talent/insights/analysts/engines";
import { countedSql, questionSql } from "@pro-talent/insights/analysts/questions/sql";
import { openQuery, type QueryEngine, runQuery } from "@pro-talent/insights/analysts/run-query";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import type { QueryFormat } from "@pro-talent/schemas/analysts/events";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { dayPlus, Day } from "@pro-talent/schemas/primitives/calendar";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { startDrillStack } from "../faults/drill-stack.ts";
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, latencies, median, quantile } from "./figures.ts";
import { generateEvents, lastDay } from "./generated-events.ts";
import { steadyLoad } from "./load.ts";

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
export async function benchAnalysts({
  directory,
  rows,
  seconds,
  data = join(directory, "questions"),
}: BenchOptions): Promise<void> {
  await benchQuestions(data, rows);
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
  const asking = { engine, pid: server.pid() };
  const store = { clickhouse: admin, database };
  const last = Day.parse(lastDay);
  try {
    const topology = { kind: "single" } as const;
    await migrateClickhouse(admin, { database, directory: clickhouseMigrations, topology });
    if ((await count(admin, "SELECT count() AS n FROM bench.events")) === 0) {
      const began = performance.now();
      await generateEvents(admin, database, rows, "questions");
      console.log(`\ngenerated in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    const events = await count(admin, "SELECT count() AS n FROM bench.events");
    const begin = performance.now();
    const range = { from: "1970-01-01", to: dayPlus(last, -1) };
    const days = await storeDays(store, range);
    const storedIn = ((performance.now() - begin) / 1000).toFixed(1);
    const again = performance.now();
    await storeDays(store, range);
    const lookedMs = (performance.now() - again).toFixed(0);
    console.log(
      `\n${events} events: ${days} days stored in ${storedIn} s; looked at again in ${lookedMs} ms`,
    );
    for (const table of ["stored_visitors", "stored_sessions", "stored_page_views"])
      await dropDay(store, table, lastDay);
    await askAll(
      asking,
      "the last of 30 days, a whole one, is not stored, as today is",
      questionSql,
    );
    await storeDays(store, { from: last, to: last });
    await askAll(asking, "all 30 days are stored", { ...questionSql, ...countedSql });
    await lookAtDays(admin);
    for (const format of ["parquet", "csv", "rows"] as const) await exportAs(engine, format);
  } finally {
    await close();
    await admin.close();
    await server.stop();
  }
}

const Count = z.tuple([z.object({ n: z.coerce.number() })]);

async function count(clickhouse: ClickHouseClient, query: string): Promise<number> {
  const result = await clickhouse.query({ query, format: "JSONEachRow" });
  return Count.parse(await result.json())[0].n;
}

const Statistics = z.object({
  statistics: z.object({ elapsed: z.number(), rows_read: z.number(), bytes_read: z.number() }),
});
type Answered = { readonly ms: number; readonly cpuMs: number } & z.output<
  typeof Statistics
>["statistics"];

/** Of Linux for all its programs. */
const ticksPerSecond = 100;

/** Processor time of a process until now. */
function cpuMsOf(pid: number | undefined): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return (1000 / ticksPerSecond) * ((user ?? Number.NaN) + (system ?? Number.NaN));
}

type Asking = { readonly engine: QueryEngine; readonly pid: number | undefined };

/** Every question in turn, several times. The first answer is not counted: it reads the disk. */
async function askAll(
  { engine, pid }: Asking,
  of: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  console.log(`\nready-made questions over 30 days; ${of} (${runs} runs)`);
  const parameters = { from: dayPlus(Day.parse(lastDay), -29), to: lastDay };
  const answers = new Map<string, Answered[]>();
  for (let run = 0; run <= runs; run += 1) {
    for (const [name, text] of Object.entries(texts)) {
      const [begin, cpu] = [performance.now(), cpuMsOf(pid)];
      const request = { ...asked(text, "json", parameters), isCounting: true };
      const { bytes } = await runQuery(engine, request);
      const [ms, cpuMs] = [performance.now() - begin, cpuMsOf(pid) - cpu];
      const { statistics } = Statistics.parse(JSON.parse(bytes.toString("utf8")));
      if (run > 0) answers.set(name, [...(answers.get(name) ?? []), { ms, cpuMs, ...statistics }]);
    }
  }
  for (const [name, own] of answers) {
    const cpuMs = median(own.map((answered) => answered.cpuMs));
    const [{ rows_read: rows, bytes_read: bytes } = { rows_read: 0, bytes_read: 0 }] = own;
    console.log(
      `  ${name.padEnd(18)} ${latencies(own.map(({ ms }) => ms))}  processor ${cpuMs.toFixed(0)} ms, ${(rows / 1e6).toFixed(2)} million rows, ${(bytes / 1e6).toFixed(1)} MB`,
    );
  }
  const all = [...answers.values()].flat().map(({ ms }) => ms);
  console.log(`  ${"all".padEnd(18)} ${latencies(all)}`);
}

/** What is asked before and after each question that adds up what is counted in advance. */
async function lookAtDays(clickhouse: ClickHouseClient): Promise<void> {
  const [from, to] = [dayPlus(Day.parse(lastDay), -29), lastDay];
  const query = `SELECT count() AS n FROM ${database}.uncounted_days WHERE day BETWEEN '${from}' AND '${to}'`;
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const begin = performance.now();
    if ((await count(clickhouse, query)) > 0) throw new Error("A day is not counted");
    if (run > 0) times.push(performance.now() - begin);
  }
  console.log(`  ${"days counted?".padEnd(18)} ${latencies(times)}`);
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

/** How many queries run beside the load, each beyond its limits. */
const besides = [0, 1, analystLimits.executingMax];

async function benchRunaways(directory: string, seconds: number): Promise<void> {
  const stack = await startDrillStack({ directory, collectors: 1 });
  const { engine, close } = engineOf(stack.clickhouse.url, "pro_talent");
  try {
    const [collector] = stack.collectors;
    if (collector === undefined) throw new Error("No collector runs");
    const next = pageViews(await startConsentedVisits(collector.url, 500));
    const { url } = collector;
    const load = { url, seconds, next, expected: 202, perSecond: arrivalsPerSecond };
    await steadyLoad(load);
    const p99s = new Map<number, number[]>(besides.map((queries) => [queries, []]));
    console.log(`\ncollector, ${arrivalsPerSecond} arrivals/s, beside runaway queries`);
    for (let round = 0; round < rounds; round += 1) {
      for (const queries of round % 2 === 0 ? besides : besides.toReversed()) {
        const stop = keepRunning(engine, queries);
        const { p50Ms, p99Ms, refused } = await steadyLoad(load);
        await stop();
        await stack.untilShipped(120_000);
        p99s.get(queries)?.push(p99Ms);
        console.log(`  beside ${queries}  p50 ${p50Ms} ms  p99 ${p99Ms} ms  refused ${refused}`);
      }
    }
    const alone = median(p99s.get(0) ?? []);
    for (const [queries, own] of p99s) {
      const [middle, worst] = [median(own), quantile(own, 1)];
      console.log(
        `  beside ${queries}  p99: median ${middle} ms (${(middle / alone).toFixed(2)}), worst ${worst} ms`,
      );
    }
  } finally {
    await close();
    await stack.stop();
  }
}

/** So many queries, each begun anew when it was ended. @returns what ends them */
function keepRunning(engine: QueryEngine, queries: number): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const all = Array.from({ length: queries }, async () => {
    while (!signal.aborted) {
      await runQuery(engine, { ...asked(runaway, "json"), signal }).catch(() => undefined);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(all);
  };
}
