import { setTimeout as delay } from "node:timers/promises";

import { compareStored, type Finding } from "./compare-stored.ts";
import { startDrillStack } from "./drill-stack.ts";
import { RecordLoad, seededRandom } from "./record-load.ts";

/** Takes ClickHouse away under load, brings it back, and looks for anything acknowledged and lost. */
export async function outageDrill(options: {
  directory: string;
  seconds: number;
  seed: number;
  say: (line: string) => void;
}): Promise<Finding[]> {
  const stack = await startDrillStack({ directory: options.directory, collectors: 1 });
  try {
    const load = new RecordLoad({
      urls: stack.collectors.map((collector) => collector.url),
      visitors: 40,
      senders: 8,
      random: seededRandom(options.seed),
      pauseMs: 4,
    });
    await load.prepare();
    load.start();
    await delay(3000);
    await stack.removeClickhouse();
    const before = load.acknowledged();
    options.say(`ClickHouse is away; ${before} records acknowledged so far`);
    await delay(options.seconds * 1000);
    const during = load.acknowledged() - before;
    const backAt = performance.now();
    await stack.returnClickhouse();
    await delay(3000);
    await load.stop();
    await stack.untilShipped(120_000);
    const caughtUpMs = Math.round(performance.now() - backAt);
    options.say(
      `${during} records acknowledged while it was away; caught up ${caughtUpMs} ms after`,
    );
    return [
      {
        statement: "records were acknowledged while ClickHouse was away",
        holds: during > 0,
        figures: `${during} in ${options.seconds} s`,
      },
      ...(await compareStored(stack, load)),
    ];
  } finally {
    await stack.stop();
  }
}
