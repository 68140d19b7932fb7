import { makeDemo } from "../embedded/demo-world.ts";
import { productServices } from "../embedded/services/product-services.ts";
import type { BenchOptions } from "./figures.ts";
import { type NextRequest, steadyLoad, warmUpSeconds } from "./load.ts";
import { startProduct } from "./running-product.ts";

const perSecond = 500;
const rounds = 3;
const languages = ["en", "he"] as const;

/**
 * The demo's portfolio in both languages, asked for by chance (goal: the first byte within 50 ms for 95 of 100
 * requests). Measured is the whole answer, from when its request was due.
 */
export async function benchPortfolios({ directory, seconds }: BenchOptions): Promise<void> {
  // One address asks for all of them.
  const product = await startProduct(directory, { LOG_LEVEL: "warn", CALLS_PER_MINUTE: "100000" });
  try {
    await makeDemo(directory, productServices);
    const url = product.runtime.services["collector"];
    if (url === undefined) throw new Error("No collector runs");
    console.log(`\na portfolio at ${perSecond}/s, rounds of ${seconds} s`);
    let sent = 0;
    const next: NextRequest = () => {
      const language = languages[sent++ % languages.length] ?? "en";
      return { path: `/p/noa-levi?lang=${language}`, headers: { accept: "text/html" } };
    };
    await steadyLoad({ url, perSecond, seconds: warmUpSeconds, next });
    for (let round = 0; round < rounds; round += 1) {
      const result = await steadyLoad({ url, perSecond, seconds, next });
      const { p50Ms, p95Ms, p99Ms, refused } = result;
      console.log(
        `  ${result.perSecond.toFixed(0)}/s  p50 ${p50Ms} ms  p95 ${p95Ms} ms  p99 ${p99Ms} ms  ${refused} refused`,
      );
    }
  } finally {
    await product.stop();
  }
}
