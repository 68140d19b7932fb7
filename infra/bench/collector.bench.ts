import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";

import { type DrillStack, startDrillStack } from "../faults/drill-stack.ts";
import { openConsentedSessions } from "../faults/open-sessions.ts";
import { plantedAddress } from "../faults/planted-addresses.ts";
import { load, type LoadResult, type NextRequest } from "./load.ts";
import { processCpuSeconds } from "./process-cpu.ts";

const connections = 50;
/** Odd, so that a median is one of them. */
const roundCount = 5;
/** Until the engine has compiled what is hot. */
const warmUpSeconds = 6;
const browsers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
];

/** Over the rounds: a shared machine changes its speed between them, so one number would hide much. */
export type Spread = { median: number; mean: number; least: number; most: number };

export type CollectorFigures = {
  rounds: { name: "bare" | "fsync" | "collector"; result: LoadResult; cpuMsPerEvent: number }[];
  perSecond: { bare: number; fsync: number; collector: number };
  /**
   * Collector throughput divided by that of the bare route with fsync group commit, measured right
   * beside it.
   */
  ratioToFsync: Spread;
  /** Median over the rounds. */
  cpuMsPerEvent: number;
  p99Ms: Spread;
  /** Acknowledged in all rounds and the warm-up. */
  accepted: number;
  /** In ClickHouse afterwards; may exceed `accepted` by requests that were under way at a round's end. */
  stored: number;
  refused: number;
};

type Target = { name: "bare" | "fsync" | "collector"; url: string; pid: number };

/**
 * The full pipeline (token, consent gate, location, user agent, bot verdict, spool, shipping to
 * ClickHouse) beside two bare Fastify routes, in interleaved rounds on one machine.
 */
export async function benchCollector(seconds: number): Promise<CollectorFigures> {
  const directory = await mkdtemp(join(tmpdir(), "pro-talent-bench-"));
  const stack = await startDrillStack({ directory, collectors: 1 });
  const bare = await startBaseline("bare");
  const fsync = await startBaseline("fsync", join(directory, "baseline.log"));
  try {
    const collector = stack.collectors[0];
    if (collector === undefined) throw new Error("The stack has no collector");
    const sessions = await openConsentedSessions(collector.url, 500);
    const next = pageViews(sessions);
    const targets: Target[] = [
      bare.target,
      fsync.target,
      { name: "collector", url: collector.url, pid: collector.pid() },
    ];
    const rounds: CollectorFigures["rounds"] = [];
    let warmUp = 0;
    for (const { name, url } of targets) {
      const { accepted } = await load({ url, connections, seconds: warmUpSeconds, next });
      if (name === "collector") warmUp = accepted;
    }
    for (let round = 0; round < roundCount; round++) {
      const order = round % 2 === 0 ? targets : targets.toReversed();
      for (const target of order) rounds.push(await measure(target, seconds, next));
    }
    return summarise(rounds, { warmUp, stored: await storedEvents(stack) });
  } finally {
    bare.stop();
    fsync.stop();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Page views of visitors who each have one address and one browser, as people do. */
function pageViews(sessions: readonly string[]): NextRequest {
  let n = 0;
  return () => {
    n += 1;
    const visitor = n % sessions.length;
    const body = JSON.stringify({
      sessionId: sessions[visitor],
      page: `/articles/${n % 50}`,
      title: "What is an applicant tracking system?",
      referrer: "https://www.example.org/",
      eventId: uuidV7(),
    });
    return {
      path: analyticsPaths.trackPageView,
      body,
      headers: {
        "content-type": "application/json",
        accept: "*/*",
        "accept-encoding": "gzip, br",
        "accept-language": "he,en;q=0.8",
        "user-agent": browsers[visitor % browsers.length] ?? "",
        "x-forwarded-for": plantedAddress(visitor),
      },
    };
  };
}

async function measure(
  target: Target,
  seconds: number,
  next: NextRequest,
): Promise<CollectorFigures["rounds"][number]> {
  const before = await processCpuSeconds(target.pid);
  const result = await load({ url: target.url, connections, seconds, next });
  const used = (await processCpuSeconds(target.pid)) - before;
  return { name: target.name, result, cpuMsPerEvent: (used * 1000) / result.accepted };
}

/** Waits until everything acknowledged has reached ClickHouse, and counts it. */
async function storedEvents(stack: DrillStack): Promise<number> {
  await stack.untilShipped(120_000);
  return stack.count("SELECT count() FROM events WHERE kind = 'page_view'");
}

function summarise(
  rounds: CollectorFigures["rounds"],
  counts: { warmUp: number; stored: number },
): CollectorFigures {
  const of = (name: string): CollectorFigures["rounds"] => rounds.filter((r) => r.name === name);
  const perSecond = (name: string): number => median(of(name).map((r) => r.result.perSecond));
  const own = of("collector");
  const beside = of("fsync");
  return {
    rounds,
    perSecond: {
      bare: perSecond("bare"),
      fsync: perSecond("fsync"),
      collector: perSecond("collector"),
    },
    ratioToFsync: spread(
      own.map((r, round) => r.result.perSecond / (beside[round]?.result.perSecond ?? Number.NaN)),
    ),
    cpuMsPerEvent: median(own.map((r) => r.cpuMsPerEvent)),
    p99Ms: spread(own.map((r) => r.result.p99Ms)),
    accepted: counts.warmUp + own.reduce((sum, r) => sum + r.result.accepted, 0),
    stored: counts.stored,
    refused: own.reduce((sum, r) => sum + r.result.refused, 0),
  };
}

function spread(values: readonly number[]): Spread {
  return {
    median: median(values),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    least: Math.min(...values),
    most: Math.max(...values),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
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
