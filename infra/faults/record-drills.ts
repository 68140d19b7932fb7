import { setTimeout as delay } from "node:timers/promises";

import { compareStored, type Finding } from "./compare-stored.ts";
import { type DrillOptions, type DrillStack, startDrillStack } from "./drill-stack.ts";
import { RecordLoad, seededRandom } from "./record-load.ts";

type Disturbed = { stack: DrillStack; load: RecordLoad; random: () => number };

/** Disturbs a stack under load, then compares every acknowledged record with what is stored. */
async function drillRecords(
  { directory, seed }: DrillOptions,
  setting: { collectors: number; worker?: boolean; senders: number; pauseMs: number },
  disturb: (disturbed: Disturbed) => Promise<Finding[]>,
): Promise<Finding[]> {
  const stack = await startDrillStack({ directory, ...setting });
  try {
    const random = seededRandom(seed);
    const urls = stack.collectors.map((collector) => collector.url);
    const load = new RecordLoad({ ...setting, urls, visitors: 40, random });
    await load.prepare();
    load.start();
    const findings = await disturb({ stack, load, random });
    return [...findings, ...(await compareStored(stack, load))];
  } finally {
    await stack.stop();
  }
}

/**
 * Kills collectors and ClickHouse at random moments under load (`kill -9`), many times, and now and
 * then the collector's worker; cuts the services' connections to Postgres now and then.
 */
export function killDrill(options: DrillOptions & { kills: number }): Promise<Finding[]> {
  const { kills, report } = options;
  const setting = { collectors: 2, worker: true, senders: 12, pauseMs: 2 };
  return drillRecords(options, setting, async ({ stack, load, random }) => {
    const killed = { collector: 0, clickhouse: 0 };
    for (let n = 1; n <= kills; n++) {
      await delay(150 + random() * 600);
      if (n % 10 === 0) await stack.cutDatabaseConnections();
      if (n % 10 === 5) stack.worker.kill9();
      const victim = stack.collectors[Math.floor(random() * 3)];
      if (victim === undefined) stack.killClickhouse();
      else victim.kill9();
      killed[victim === undefined ? "clickhouse" : "collector"] += 1;
      if (n % 20 === 0)
        report(`${n} of ${kills} kills, ${load.acknowledged()} records acknowledged`);
    }
    for (const service of [...stack.collectors, stack.worker]) await service.untilReady();
    await load.stop();
    await stack.untilShipped(120_000);
    report(`killed collectors ${killed.collector} times, ClickHouse ${killed.clickhouse} times`);
    return [];
  });
}

/** Stops ClickHouse under load and starts it again. */
export function outageDrill(options: DrillOptions & { seconds: number }): Promise<Finding[]> {
  const { seconds, report } = options;
  const setting = { collectors: 1, senders: 8, pauseMs: 4 };
  return drillRecords(options, setting, async ({ stack, load }) => {
    await delay(3000);
    await stack.stopClickhouse();
    const before = load.acknowledged();
    report(`ClickHouse is away; ${before} records acknowledged so far`);
    await delay(seconds * 1000);
    const during = load.acknowledged() - before;
    const backAt = performance.now();
    await stack.startClickhouse();
    await delay(3000);
    await load.stop();
    await stack.untilShipped(120_000);
    const caughtUpMs = Math.round(performance.now() - backAt);
    report(`${during} records acknowledged while it was away; caught up ${caughtUpMs} ms after`);
    return [
      {
        statement: "records were acknowledged while ClickHouse was away",
        holds: during > 0,
        figures: `${during} in ${seconds} s`,
      },
    ];
  });
}
