import { setTimeout as delay } from "node:timers/promises";

import { compareStored, type Finding } from "./compare-stored.ts";
import { startDrillStack } from "./drill-stack.ts";
import { RecordLoad, seededRandom } from "./record-load.ts";

/**
 * Kills collectors and ClickHouse at random moments under load (`kill -9`), many times, cuts the
 * services' connections to Postgres now and then, and compares every acknowledged record with what
 * is stored.
 */
export async function killDrill(options: {
  directory: string;
  kills: number;
  seed: number;
  say: (line: string) => void;
}): Promise<Finding[]> {
  const stack = await startDrillStack({ directory: options.directory, collectors: 2 });
  try {
    const random = seededRandom(options.seed);
    const load = new RecordLoad({
      urls: stack.collectors.map((collector) => collector.url),
      visitors: 40,
      senders: 12,
      random,
      pauseMs: 2,
    });
    await load.prepare();
    load.start();
    const killed = { collector: 0, clickhouse: 0 };
    for (let n = 1; n <= options.kills; n++) {
      await delay(150 + random() * 600);
      if (n % 10 === 0) await stack.cutDatabaseConnections();
      const victim = stack.collectors[Math.floor(random() * 3)];
      if (victim === undefined) {
        stack.killClickhouse();
        killed.clickhouse += 1;
      } else {
        victim.kill9();
        killed.collector += 1;
      }
      if (n % 20 === 0) {
        options.say(`${n} of ${options.kills} kills, ${load.acknowledged()} records acknowledged`);
      }
    }
    for (const collector of stack.collectors) await collector.untilReady();
    await load.stop();
    await stack.untilShipped(120_000);
    options.say(
      `killed collectors ${killed.collector} times, ClickHouse ${killed.clickhouse} times`,
    );
    return await compareStored(stack, load);
  } finally {
    await stack.stop();
  }
}
