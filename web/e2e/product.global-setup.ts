import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { startProduct } from "../../infra/bench/running-product.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Addresses of the product that journeys share. */
    product: { origin: string; clickhouse: { url: string; database: string }; mailUrl: string };
  }
}

/**
 * Starts the whole product once for all journeys; those that count what is stored start their own.
 * @throws with its output when it does not start
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "journeys-"));
  const product = await startProduct(dataDir, { LOG_LEVEL: "warn" });
  const { origin, clickhouse, mail } = product.runtime;
  if (clickhouse === undefined || mail === undefined) throw new Error("A part does not run");
  project.provide("product", { origin, clickhouse, mailUrl: mail.webUrl });
  return async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
