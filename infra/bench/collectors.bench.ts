import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { startDrillStack } from "../faults/drill-stack.ts";
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, median } from "./figures.ts";
import { type NextRequest, steadyLoad, warmUpSeconds } from "./load.ts";
import { processCpuSeconds, treeCpuSeconds } from "./machine.ts";

/** Of each collector: little enough for two cores with load, three collectors and engines on them. */
const perSecond = 500;
const rounds = 3;

type Place = "collectors" | "postgres" | "clickhouse";
type CpuSeconds = Record<Place, number>;
type Figures = {
  /** Processor time of each place for an event, in milliseconds. */
  msAnEvent: CpuSeconds;
  /** What shares a statement of the gate, a commit of the spool and an insert. */
  questionsAStatement: number;
  eventsACommit: number;
  eventsAnInsert: number;
  p99Ms: number;
  refused: number;
};

/**
 * The same load on each of one, two and three collectors, after a time without any. What a collector costs without
 * load is paid once each; beyond it an event must not cost more in what they share (the gate, claims of event ids,
 * inserts) when there are more of them.
 */
export async function benchCollectors({ directory, seconds }: BenchOptions): Promise<void> {
  console.log(`\n1, 2 and 3 collectors, ${perSecond} events/s each, rounds of ${seconds} s`);
  for (const collectors of [1, 2, 3]) {
    const stack = await startDrillStack({
      directory: join(directory, String(collectors)),
      collectors,
    });
    try {
      const urls = stack.collectors.map(({ url }) => url);
      const next = pageViews(await startConsentedVisits(urls[0] ?? "", 500));
      await loadAll(urls, next, warmUpSeconds);
      await stack.untilShipped(120_000);
      const idle = await measureIdle(stack, seconds);
      const taken: Figures[] = [];
      for (let round = 0; round < rounds; round += 1)
        taken.push(await measure(stack, next, seconds));
      await stack.untilShipped(120_000);
      print(collectors, idle, taken);
    } finally {
      await stack.stop();
    }
  }
}

type Stack = Awaited<ReturnType<typeof startDrillStack>>;

async function loadAll(urls: readonly string[], next: NextRequest, seconds: number) {
  const share = { perSecond, seconds, next, expected: 202 };
  return await Promise.all(urls.map((url) => steadyLoad({ url, ...share })));
}

/** @returns processor seconds of each place in a second without events */
async function measureIdle(stack: Stack, seconds: number): Promise<CpuSeconds> {
  const [before, from] = [await cpuSeconds(stack), performance.now()];
  await delay(seconds * 1000);
  const [after, until] = [await cpuSeconds(stack), performance.now()];
  return ofPlaces((place) => (after[place] - before[place]) / ((until - from) / 1000));
}

async function measure(stack: Stack, next: NextRequest, seconds: number): Promise<Figures> {
  const [before, countedBefore] = [await cpuSeconds(stack), await batches(stack)];
  const urls = stack.collectors.map(({ url }) => url);
  const results = await loadAll(urls, next, seconds);
  const [after, counted] = [await cpuSeconds(stack), await batches(stack)];
  const accepted = results.reduce((sum, result) => sum + result.accepted, 0);
  const made = (of: keyof typeof counted): number => counted[of] - countedBefore[of];
  return {
    msAnEvent: ofPlaces((place) => ((after[place] - before[place]) * 1000) / accepted),
    questionsAStatement: made("questions") / made("statements"),
    eventsACommit: accepted / made("commits"),
    eventsAnInsert: accepted / made("inserts"),
    p99Ms: Math.max(...results.map((result) => result.p99Ms)),
    refused: results.reduce((sum, result) => sum + result.refused, 0),
  };
}

const ofPlaces = (figure: (place: Place) => number): CpuSeconds => ({
  collectors: figure("collectors"),
  postgres: figure("postgres"),
  clickhouse: figure("clickhouse"),
});

async function cpuSeconds({ collectors, postgresPid, clickhouse }: Stack): Promise<CpuSeconds> {
  const each = await Promise.all(collectors.map((one) => processCpuSeconds(one.pid() ?? 0)));
  return {
    collectors: sum(each),
    postgres: await treeCpuSeconds(postgresPid() ?? 0),
    clickhouse: await treeCpuSeconds(clickhouse.pid() ?? 0),
  };
}

/** What all collectors, and ClickHouse, have counted so far. */
async function batches({ collectors, count }: Stack) {
  const texts = await Promise.all(
    collectors.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  const of = (name: string): number =>
    sum(
      texts.map((text) =>
        Number(new RegExp(`^collector_${name} (\\S+)$`, "mu").exec(text)?.[1] ?? 0),
      ),
    );
  return {
    questions: of("consent_gate_batch_questions_sum"),
    statements: of("consent_gate_batch_questions_count"),
    commits: of("spool_commit_seconds_count"),
    inserts: await count("select sum(value) from system.events where event = 'InsertQuery'"),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function print(collectors: number, idle: CpuSeconds, taken: readonly Figures[]): void {
  const of = (figure: (each: Figures) => number): number => median(taken.map(figure));
  const each = (figure: (place: Place) => string): string =>
    `${figure("collectors")} in collectors, ${figure("postgres")} in Postgres, ${figure("clickhouse")} in ClickHouse`;
  const idleMs = (place: Place): number => idle[place] * 1000;
  const msAnEvent = (place: Place): number => of((one) => one.msAnEvent[place]);
  const beyondIdle = (place: Place): number =>
    msAnEvent(place) - idleMs(place) / (collectors * perSecond);
  const shared = [
    `${of((one) => one.questionsAStatement).toFixed(1)} questions a statement of the gate`,
    `${of((one) => one.eventsACommit).toFixed(1)} events a commit`,
    `${of((one) => one.eventsAnInsert).toFixed(0)} an insert`,
  ].join(", ");
  console.log(`  ${collectors} collectors
    processor ms a second without events: ${each((place) => idleMs(place).toFixed(1))}
    processor ms an event: ${each((place) => msAnEvent(place).toFixed(3))}
    beyond what is spent without events: ${each((place) => beyondIdle(place).toFixed(3))}
    ${shared}; p99 ${of((one) => one.p99Ms)} ms, ${of((one) => one.refused)} refused`);
}
