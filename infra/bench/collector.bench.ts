import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { startDrillStack } from "../faults/drill-stack.ts";
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, median } from "./figures.ts";
import { treeCpuSeconds } from "./machine.ts";
import { interleavedRounds, type Round, type Target, throughputRatio } from "./rounds.ts";

/**
 * The full pipeline (token, consent gate, location, user agent, bot verdict, spool, shipping to
 * ClickHouse) beside two bare Fastify routes, without and with an fsync before each answer.
 */
export async function benchCollector({ directory, seconds, record }: BenchOptions): Promise<void> {
  console.log("\ncollector beside a bare server");
  const stack = await startDrillStack({ directory, collectors: 1 });
  const bare = await startBaseline("bare");
  const fsync = await startBaseline("fsync", join(directory, "baseline.log"));
  try {
    const [collector] = stack.collectors;
    const pid = collector?.pid();
    if (collector === undefined || pid === undefined) throw new Error("No collector runs");
    const target = { name: "collector", url: collector.url, pid };
    const next = pageViews(await startConsentedVisits(collector.url, 500));
    const targets = [bare.target, fsync.target, target];
    const database = stack.postgresPid() ?? 0;
    const before = await treeCpuSeconds(database);
    const { rounds, warmUps } = await interleavedRounds(targets, next, seconds);
    await stack.untilShipped(120_000);
    const stored = await stack.count("SELECT count() FROM events WHERE kind = 'page_view'");
    const databaseMs = ((await treeCpuSeconds(database)) - before) * 1000;
    record("collectorDatabaseCpuMs", databaseMs / stored);
    const own = rounds.filter((round) => round.name === "collector");
    record("collectorEventsPerSecond", median(own.map((round) => round.perSecond)));
    printSummary(rounds, { warmUp: warmUps.at(-1)?.accepted ?? 0, stored });
  } finally {
    bare.stop();
    fsync.stop();
    await stack.stop();
  }
}

function printSummary(rounds: readonly Round[], counts: { warmUp: number; stored: number }): void {
  const of = (name: string, figure: keyof Omit<Round, "name">): number[] =>
    rounds.filter((round) => round.name === name).map((round) => round[figure]);
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const own = median(of("collector", "perSecond"));
  const p99Ms = of("collector", "p99Ms");
  const cpuMs = median(of("collector", "cpuMsPerEvent")).toFixed(3);
  // More may be stored than was accepted: requests that were under way at a round's end.
  const accepted = counts.warmUp + sum(of("collector", "accepted"));
  const lines = [
    `collector / bare Fastify ${(own / median(of("bare", "perSecond"))).toFixed(2)}`,
    `collector / bare Fastify with fsync: ${throughputRatio(rounds, "collector", "fsync")}`,
    `p99: median ${median(p99Ms)} ms, worst round ${Math.max(...p99Ms)} ms`,
    `${own.toFixed(0)} durable events/s, ${cpuMs} CPU ms/event`,
    `accepted ${accepted}, refused ${sum(of("collector", "refused"))}, stored ${counts.stored}`,
  ];
  for (const line of lines) console.log(`  ${line}`);
}

async function startBaseline(
  mode: "bare" | "fsync",
  path = "",
): Promise<{ target: Target; stop: () => void }> {
  const file = new URL("baseline-server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [file, mode, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: AsyncIterator<string> = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true || child.pid === undefined) throw new Error("No baseline server");
  return {
    target: { name: mode, url: first.value, pid: child.pid },
    stop: () => void child.kill("SIGTERM"),
  };
}
