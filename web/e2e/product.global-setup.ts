import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { startProduct } from "../../infra/bench/running-product.ts";
import { runsAsProcesses, startProcessProduct } from "../../infra/docker/process-product.ts";
import { productServices } from "../../infra/embedded/services/product-services.ts";
import { startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The product that journeys share: its addresses, and where its data is. */
    product: {
      origin: string;
      clickhouse: { url: string; database: string };
      mailUrl: string;
      dataDir: string;
    };
    /** Where the site alone answers, without any service that its pages call. */
    pagesOrigin: string;
    /** Directory of what only journeys build. */
    builds: string;
  }
}

/**
 * Starts the whole product once for all journeys, and the site alone; those that count what is stored start
 * their own.
 * @param settings of its services
 * @throws with its output when it does not start
 */
export async function provideProduct(
  project: TestProject,
  settings: Record<string, string>,
): Promise<{ dataDir: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "journeys-"));
  const product = await (runsAsProcesses
    ? startProcessProduct(dataDir)
    : startProduct(dataDir, { LOG_LEVEL: "warn", ...settings }));
  const { origin, clickhouse, mail } = product.runtime;
  if (clickhouse === undefined || mail === undefined) throw new Error("A part does not run");
  project.provide("product", { origin, clickhouse, mailUrl: mail.webUrl, dataDir });
  const pagesDir = await mkdtemp(join(tmpdir(), "pages-"));
  const pages = await startPlatform({
    dataDir: pagesDir,
    port: 0,
    logLevel: "warn",
    services: productServices.filter(({ name }) => name === "site"),
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  project.provide("pagesOrigin", pages.runtime.origin);
  const builds = await mkdtemp(join(tmpdir(), "builds-"));
  project.provide("builds", builds);
  const stop = async (): Promise<void> => {
    await Promise.all([product.stop(), pages.stop()]);
    await Promise.all(
      [dataDir, pagesDir, builds].map((path) => rm(path, { recursive: true, force: true })),
    );
  };
  return { dataDir, stop };
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  (await provideProduct(project, {})).stop;
