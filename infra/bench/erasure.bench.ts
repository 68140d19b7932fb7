import { randomUUID } from "node:crypto";
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
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { DATABASE } from "../postgres/roles.ts";
import { type BenchOptions, latencies, median, quantile } from "./figures.ts";
import { generateEvents } from "./generated-events.ts";
import { load, type NextRequest, warmUpSeconds } from "./load.ts";
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
 * collector says that it is done, while questions are asked one after another; and measures what a
 * thousand erasures in a day cost the collection of events.
 */
export async function benchErasure({ directory, rows, seconds }: BenchOptions): Promise<void> {
  const stack = await startDrillStack({ directory, collectors: 2, worker: true });
  const options = { application: "bench", requestTimeoutMs: 600_000 };
  const clickhouse = connectClickhouse(stack.clickhouse.url, options);
  try {
    await generateEvents(clickhouse, DATABASE, rows);
    await generateOpens(clickhouse);
    console.log(`\nerasure among ${rows} events and ${opens} opens of links`);
    const quiet = quantile(await askWhile(clickhouse, delay(quietMs)), 0.95);
    console.log(`  questions alone: p95 ${quiet.toFixed(0)} ms`);
    const subjects = subjectsIn(clickhouse);
    for (const kind of ["visitor", "account"] as const)
      for (let round = 0; round < rounds; round += 1)
        await eraseAndAsk(stack, clickhouse, await subjects(kind, 1), quiet);
    await eraseAndAsk(stack, clickhouse, await subjects("visitor", subjectsOfADay), quiet);
    await measureCollection(stack, () => subjects("visitor", 1), seconds);
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

const Ids = z.array(z.object({ id: VisitorId.or(z.string().brand<"VisitorId">()) }));

/** @returns subjects that were not erased yet, chosen as they come */
function subjectsIn(clickhouse: ClickHouseClient) {
  const tables = { visitor: "events", account: "link_opens" };
  return async (kind: ErasureSubject["kind"], count: number): Promise<ErasureSubject[]> => {
    const result = await clickhouse.query({
      query: `SELECT DISTINCT ${kind}_id AS id FROM ${DATABASE}.${tables[kind]} LIMIT ${count}`,
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

async function eraseAndAsk(
  stack: DrillStack,
  clickhouse: ClickHouseClient,
  subjects: readonly ErasureSubject[],
  quiet: number,
): Promise<void> {
  const pid = stack.clickhouse.pid() ?? 0;
  const [begin, cpu] = [performance.now(), await processCpuSeconds(pid)];
  const erasing = erase(stack, subjects);
  const times = await askWhile(clickhouse, erasing);
  const seconds = (performance.now() - begin) / 1000;
  const used = (await processCpuSeconds(pid)) - cpu;
  const what = `${subjects.length} × ${subjects[0]?.kind}, ${await erasing} rows`;
  const slower = (quantile(times, 0.95) / quiet).toFixed(2);
  console.log(
    `  ${what}: ${seconds.toFixed(1)} s, ${used.toFixed(1)} CPU s with the questions; ${latencies(times)}, ${slower} times the p95 alone`,
  );
}

/**
 * Rounds of load at full speed, every second one with an erasure after another. What an erasure costs
 * is what was not collected meanwhile; a day's thousand of them is stated as a share of a day's collection.
 */
async function measureCollection(
  stack: DrillStack,
  subject: () => Promise<ErasureSubject[]>,
  seconds: number,
): Promise<void> {
  const [collector] = stack.collectors;
  if (collector === undefined) throw new Error("No collector runs");
  const next: NextRequest = pageViews(await startConsentedVisits(collector.url, 500));
  const round = async (length: number): Promise<number> =>
    (await load({ url: collector.url, connections: 50, seconds: length, next })).perSecond;
  await round(warmUpSeconds);
  const shares: number[] = [];
  let erasures = 0;
  for (let n = 0; n < rounds; n += 1) {
    const alone = await round(seconds * 2);
    const ended = new AbortController();
    const erasing = eraseUntil(stack, subject, ended.signal);
    const meanwhile = await round(seconds * 2);
    ended.abort();
    const done = await erasing;
    erasures += done;
    const lostSeconds = (1 - meanwhile / alone) * seconds * 2;
    shares.push((lostSeconds / done) * (subjectsOfADay / daySeconds));
    console.log(
      `  collection ${alone.toFixed(0)}/s alone, ${meanwhile.toFixed(0)}/s with ${done.toFixed(1)} erasures`,
    );
  }
  const share = (median(shares) * 100).toFixed(1);
  console.log(
    `  ${subjectsOfADay} erasures one by one cost ${share} % of a day's collection (${erasures.toFixed(0)} measured)`,
  );
}

/** @returns how many were done before the signal; the last one counts for its part before it */
async function eraseUntil(
  stack: DrillStack,
  subject: () => Promise<ErasureSubject[]>,
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  let endedAt = Number.POSITIVE_INFINITY;
  signal.addEventListener("abort", () => (endedAt = performance.now()));
  while (!signal.aborted) {
    const begin = performance.now();
    await erase(stack, await subject());
    const end = performance.now();
    done += end <= endedAt ? 1 : (endedAt - begin) / (end - begin);
  }
  return done;
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
