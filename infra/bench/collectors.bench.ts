import { join } from "node:path";

import { startDrillStack } from "../faults/drill-stack.ts";
import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, median } from "./figures.ts";
import { type NextRequest, steadyLoad, warmUpSeconds } from "./load.ts";
import { processCpuSeconds, treeCpuSeconds } from "./machine.ts";

/** Of each collector: little enough for two cores with load, three collectors and engines on them. */
const perSecond = 500;
const rounds = 3;

type Figures = Record<"collectors" | "postgres" | "clickhouse" | "p99Ms" | "refused", number>;

/**
 * The same load on each of one, two and three collectors. What they share (Postgres: the gate, claims of
 * event ids) must not cost more for each event when there are more of them.
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
      const taken: Figures[] = [];
      for (let round = 0; round < rounds; round += 1)
        taken.push(await measure(stack, next, seconds));
      await stack.untilShipped(120_000);
      print(collectors, taken);
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

async function measure(stack: Stack, next: NextRequest, seconds: number): Promise<Figures> {
  const before = await cpuSeconds(stack);
  const urls = stack.collectors.map(({ url }) => url);
  const results = await loadAll(urls, next, seconds);
  const after = await cpuSeconds(stack);
  const accepted = results.reduce((sum, result) => sum + result.accepted, 0);
  const msAnEvent = (of: keyof typeof after): number =>
    ((after[of] - before[of]) * 1000) / accepted;
  return {
    collectors: msAnEvent("collectors"),
    postgres: msAnEvent("postgres"),
    clickhouse: msAnEvent("clickhouse"),
    p99Ms: Math.max(...results.map((result) => result.p99Ms)),
    refused: results.reduce((sum, result) => sum + result.refused, 0),
  };
}

async function cpuSeconds({ collectors, postgresPid, clickhouse }: Stack) {
  const each = await Promise.all(collectors.map((one) => processCpuSeconds(one.pid() ?? 0)));
  return {
    collectors: each.reduce((sum, one) => sum + one, 0),
    postgres: await treeCpuSeconds(postgresPid() ?? 0),
    clickhouse: await treeCpuSeconds(clickhouse.pid() ?? 0),
  };
}

function print(collectors: number, taken: readonly Figures[]): void {
  const of = (figure: keyof Figures): number => median(taken.map((each) => each[figure]));
  const ms = (figure: keyof Figures): string => of(figure).toFixed(3);
  console.log(
    `  ${collectors} collectors: processor ms an event ${ms("collectors")} in collectors, ${ms("postgres")} in Postgres, ${ms("clickhouse")} in ClickHouse; p99 ${of("p99Ms")} ms, ${of("refused")} refused`,
  );
}
