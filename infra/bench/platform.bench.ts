import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { pageViews, startConsentedVisits } from "../faults/visits.ts";
import { type BenchOptions, median } from "./figures.ts";
import { load } from "./load.ts";
import { treeMemory } from "./machine.ts";
import { interleavedRounds, throughputRatio } from "./rounds.ts";
import { type RunningProduct, startProduct } from "./running-product.ts";

/** Odd, so that a median is one of them. */
const starts = 3;
const restSeconds = 10;

/**
 * What `npm start` runs, with its data in place: how soon it is ready, what it holds of the memory
 * at rest, and how much of the collector's throughput its gateway lets through.
 */
export async function benchPlatform({ directory, seconds }: BenchOptions): Promise<void> {
  const dataDir = join(directory, "data");
  console.log("\nnpm start");
  await withProduct(dataDir, putDataInPlace);
  const ready: number[] = [];
  const memory: number[] = [];
  for (let n = 0; n < starts; n++) {
    await withProduct(dataDir, async ({ pid, readySeconds }) => {
      await delay(restSeconds * 1000);
      const { megabytes, processes } = await treeMemory(pid);
      ready.push(readySeconds);
      memory.push(megabytes);
      console.log(
        `  ready in ${readySeconds.toFixed(2)} s; ${restSeconds} s later ${megabytes.toFixed(0)} MB in ${processes} processes`,
      );
    });
  }
  console.log(
    `  with data in place: median ${median(ready).toFixed(2)} s to ready, ${median(memory).toFixed(0)} MB proportional set size at rest`,
  );
  await withProduct(dataDir, (product) => benchGateway(product, seconds));
}

async function withProduct(
  dataDir: string,
  use: (product: RunningProduct) => Promise<void>,
): Promise<void> {
  // The load comes from one address.
  const product = await startProduct(dataDir, { CALLS_PER_MINUTE: "0" });
  try {
    await use(product);
  } finally {
    await product.stop();
  }
}

function collectorUrl({ runtime }: RunningProduct): string {
  const url = runtime.services["collector"];
  if (url === undefined) throw new Error("npm start has no address of the collector");
  return url;
}

async function putDataInPlace(product: RunningProduct): Promise<void> {
  const url = collectorUrl(product);
  const next = pageViews(await startConsentedVisits(url, 50));
  const { accepted } = await load({ url, connections: 10, seconds: 3, next });
  const seconds = product.readySeconds.toFixed(2);
  console.log(`  first start ready in ${seconds} s; ${accepted} page views put in place`);
}

/** The collector at its own address and at the gateway's, in turn. */
async function benchGateway(product: RunningProduct, seconds: number): Promise<void> {
  const { origin, processes } = product.runtime;
  const url = collectorUrl(product);
  // One process hosts the gateway and the services.
  const pid = processes.find(({ name }) => name === "services")?.pid ?? product.pid;
  const targets = [
    { name: "direct", url, pid },
    { name: "gateway", url: origin, pid },
  ];
  const next = pageViews(await startConsentedVisits(url, 500));
  const { rounds } = await interleavedRounds(targets, next, seconds);
  const refused = rounds.reduce((sum, round) => sum + round.refused, 0);
  console.log(`  gateway / direct: ${throughputRatio(rounds, "gateway", "direct")}`);
  console.log(`  refused ${refused}`);
}
