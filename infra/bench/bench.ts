import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { benchCollector } from "./collector.bench.ts";
import { benchForms, formsPerSecond } from "./forms.bench.ts";
import { benchLedgerAppend } from "./ledger-append.bench.ts";
import { describeMachine } from "./machine.ts";
import { benchOg } from "./og.bench.ts";
import { benchQueries } from "./query.bench.ts";

/**
 * `npm run bench`: figures of this machine, taken now. Names choose a part:
 *
 *     npm run bench -- collector --seconds 10
 *     npm run bench -- ledger
 *     npm run bench -- queries --rows 10000000
 *     npm run bench -- og
 *     npm run bench -- forms
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "8" },
    rows: { type: "string", default: "10000000" },
  },
});
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const round = (value: number, digits = 0): string => value.toFixed(digits);

async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "pro-talent-bench-"));
  await chmod(directory, 0o711);
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function collector(): Promise<void> {
  const figures = await benchCollector(Number(values.seconds));
  console.log("\ncollector, 50 connections, interleaved rounds");
  for (const { name, result, cpuMsPerEvent } of figures.rounds) {
    console.log(
      `  ${name.padEnd(10)} ${round(result.perSecond).padStart(7)}/s  p50 ${result.p50Ms} ms  p99 ${result.p99Ms} ms  ${round(cpuMsPerEvent, 3)} CPU ms/event`,
    );
  }
  const { bare, collector: own } = figures.perSecond;
  console.log(`  collector / bare Fastify ${round(own / bare, 2)}`);
  const { ratioToFsync: ratio, p99Ms: p99 } = figures;
  console.log(
    `  collector / bare Fastify with fsync: median ${round(ratio.median, 2)}, mean ${round(ratio.mean, 2)}, worst round ${round(ratio.least, 2)}`,
  );
  console.log(`  p99: median ${p99.median} ms, worst round ${p99.most} ms`);
  console.log(`  ${round(own)} durable events/s, ${round(figures.cpuMsPerEvent, 3)} CPU ms/event`);
  console.log(
    `  accepted ${figures.accepted}, refused ${figures.refused}, stored ${figures.stored}`,
  );
}

async function ledger(): Promise<void> {
  await withDirectory(async (directory) => {
    const server = await startPostgres({ dataDir: directory });
    try {
      const figures = await benchLedgerAppend(server.url);
      console.log(
        `\nledger: ${round(figures.appendsPerSecond)} appends/s with ${figures.clients} clients`,
      );
    } finally {
      await server.stop();
    }
  });
}

async function queries(): Promise<void> {
  await withDirectory(async (directory) => {
    const server = await startClickhouse({ dataDir: directory });
    try {
      const results = await benchQueries(server.url, Number(values.rows));
      console.log(`\nquestions on ${values.rows} events`);
      for (const { question, p50Ms, p95Ms, runs } of results) {
        console.log(
          `  p50 ${round(p50Ms, 1)} ms  p95 ${round(p95Ms, 1)} ms  (${runs} runs)  ${question}`,
        );
      }
    } finally {
      await server.stop();
    }
  });
}

async function og(): Promise<void> {
  const { p50Ms, p95Ms, firstMs, cards } = await benchOg();
  console.log(`\nshare images, ${cards} titles that were not asked for before`);
  console.log(
    `  p50 ${round(p50Ms, 1)} ms  p95 ${round(p95Ms, 1)} ms  the very first ${round(firstMs, 1)} ms`,
  );
}

async function forms(): Promise<void> {
  await withDirectory(async (directory) => {
    console.log(`\nforms, ${formsPerSecond} a second, ClickHouse down`);
    for (const { path, result } of await benchForms(directory, Number(values.seconds))) {
      const { p50Ms, p99Ms, accepted, refused } = result;
      console.log(
        `  p50 ${p50Ms} ms  p99 ${p99Ms} ms  accepted ${accepted}  refused ${refused}  POST ${path}`,
      );
    }
  });
}

console.log(describeMachine());
if (wanted("collector")) await collector();
if (wanted("ledger")) await ledger();
if (wanted("queries")) await queries();
if (wanted("og")) await og();
if (wanted("forms")) await forms();
