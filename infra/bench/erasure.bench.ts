import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { callService } from "@pro-talent/platform/http/service-client";
import {
  type ErasureSubject,
  internalErasureCalls,
} from "@pro-talent/schemas/analytics/erasure-calls";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { z } from "zod";

import { type DrillStack, startDrillStack } from "../faults/drill-stack.ts";
import { DATABASE } from "../postgres/roles.ts";
import { type BenchOptions, latencies, median, quantile } from "./figures.ts";
import { generateEvents } from "./generated-events.ts";
import { processCpuSeconds } from "./machine.ts";

const quietMs = 10_000;
const rounds = 3;
const subjectsOfADay = 1_000;
const daySeconds = 86_400;
const opens = 1_000_000;
/** What an administrator looks at meanwhile. */
const questions = [
  `SELECT channel, count() FROM ${DATABASE}.sessions WHERE day = '2026-03-18' GROUP BY channel`,
  `SELECT page, sum(page_views) FROM ${DATABASE}.page_views_daily WHERE day > '2026-03-01' GROUP BY page`,
];

/**
 * Erases visitors and accounts among generated events as the product does, from the request until the
 * collector says that it is done: alone, for what it costs; and while questions are asked one after
 * another, beside as long a time without an erasure.
 */
export async function benchErasure({ directory, rows }: BenchOptions): Promise<void> {
  const stack = await startDrillStack({ directory, collectors: 2, worker: true });
  const options = { application: "bench", requestTimeoutMs: 600_000 };
  const clickhouse = connectClickhouse(stack.clickhouse.url, options);
  try {
    await generateEvents(clickhouse, DATABASE, rows);
    await generateOpens(clickhouse);
    console.log(`\nerasure among ${rows} events and ${opens} opens of links`);
    const subjects = subjectsIn(clickhouse);
    for (const [kind, count] of [
      ["visitor", 1],
      ["account", 1],
      ["visitor", subjectsOfADay],
    ] as const) {
      const slower: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await eraseAlone(stack, await subjects(kind, count));
        slower.push(await eraseAndAsk(stack, clickhouse, await subjects(kind, count)));
      }
      console.log(`  median: ${median(slower).toFixed(2)} times the p95 alone`);
    }
  } finally {
    await clickhouse.close();
    await stack.stop();
  }
}

async function generateOpens(clickhouse: ClickHouseClient): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO ${DATABASE}.link_opens
        (event_id, link_id, account_id, occurred_at, leads_to, visitor_id, browser, country)
      SELECT generateUUIDv4(number), reinterpretAsUUID(sipHash128(number % 5000, 'link')),
        reinterpretAsUUID(sipHash128(number % 1000, 'account')),
        toDateTime64('2026-03-31 00:00:00', 3, 'UTC') - toIntervalSecond(number * 7), 'file',
        generateUUIDv4(number + 1), 'Chrome', 'IL'
      FROM numbers(${opens})`,
  });
}

const Ids = z.array(z.object({ id: VisitorId }));

/** @returns subjects that were not erased yet, as they come; ids are generated, and not all are valid */
function subjectsIn(clickhouse: ClickHouseClient) {
  const tables = { visitor: "events", account: "link_opens" };
  return async (kind: ErasureSubject["kind"], count: number): Promise<ErasureSubject[]> => {
    const result = await clickhouse.query({
      query: `SELECT DISTINCT ${kind}_id AS id FROM ${DATABASE}.${tables[kind]}
              WHERE match(toString(id), '^.{14}4.{4}[89ab]') LIMIT ${count}`,
      format: "JSONEachRow",
    });
    return Ids.parse(await result.json()).map(({ id }) => ({ kind, id }));
  };
}

/** Resolves when every one of the subjects is erased. @returns how many rows that were */
async function erase(stack: DrillStack, subjects: readonly ErasureSubject[]): Promise<number> {
  const [collector] = stack.collectors;
  if (collector === undefined) throw new Error("No collector runs");
  const { internalToken } = stack;
  const call = callService({ url: collector.url, internalToken }, internalErasureCalls);
  const erasureIds = subjects.map(() => randomUUID());
  for (const [n, erasureId] of erasureIds.entries()) {
    const [subject] = subjects.slice(n);
    if (subject !== undefined)
      await call("POST /internal/analytics/erasures", { body: { erasureId, subject } });
  }
  let deleted = 0;
  for (const erasureId of erasureIds) {
    const params = { erasureId };
    for (;;) {
      const found = await call("GET /internal/analytics/erasures/:erasureId", { params });
      deleted += found.status === "erased" ? found.rows : 0;
      if (found.status === "erased") break;
      await delay(200);
    }
  }
  return deleted;
}

/** Processor time, unlike time, does not depend on what else the machine does. */
async function eraseAlone(stack: DrillStack, subjects: readonly ErasureSubject[]): Promise<void> {
  const pid = stack.clickhouse.pid() ?? 0;
  const [begin, cpu] = [performance.now(), await processCpuSeconds(pid)];
  const deleted = await erase(stack, subjects);
  const seconds = (performance.now() - begin) / 1000;
  const used = (await processCpuSeconds(pid)) - cpu;
  const share =
    (used * subjectsOfADay * 100) / subjects.length / (availableParallelism() * daySeconds);
  console.log(
    `  ${subjects.length} × ${subjects[0]?.kind}, ${deleted} rows: ${seconds.toFixed(1)} s, ${used.toFixed(1)} CPU s; ${subjectsOfADay} a day like this: ${share.toFixed(2)} % of the machine`,
  );
}

/** @returns how many times longer the slowest questions took than in the time before */
async function eraseAndAsk(
  stack: DrillStack,
  clickhouse: ClickHouseClient,
  subjects: readonly ErasureSubject[],
): Promise<number> {
  const before = quantile(await askWhile(clickhouse, delay(quietMs)), 0.95);
  const begin = performance.now();
  const times = await askWhile(clickhouse, erase(stack, subjects));
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `    with questions ${seconds.toFixed(1)} s: ${latencies(times)}; before p95 ${before.toFixed(1)} ms`,
  );
  return quantile(times, 0.95) / before;
}

/** How long each answer took, in milliseconds, until something has ended. */
async function askWhile(clickhouse: ClickHouseClient, ending: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const ended = new AbortController();
  const end = ending.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    for (const query of questions) {
      const begin = performance.now();
      const result = await clickhouse.query({ query, format: "JSONEachRow" });
      await result.json();
      times.push(performance.now() - begin);
    }
  }
  await end;
  return times;
}
