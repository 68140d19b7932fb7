import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { inject, vi } from "vitest";

import { runsAsProcesses, startProcessProduct } from "../../infra/docker/process-product.ts";
import { type Demo, readDemo } from "../../infra/embedded/demo-world.ts";
import { unprivilegedUser } from "../../infra/embedded/postgres/placement.ts";
import { compileCache } from "../../infra/embedded/process/compile-cache.ts";
import { productServices } from "../../infra/embedded/services/product-services.ts";
import { type Platform, startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";
import { openStack, type Stack } from "./fixtures.ts";

const run = promisify(execFile);

/** A product on which operators' commands work. */
export type OperatedStack = Stack & {
  dataDir: string;
  /** Runs the program of a command, as npm does: what it prints. @throws when it does nothing */
  operate: (program: string, ...args: readonly string[]) => Promise<string>;
  /** What `npm run demo` makes, unless it is there. */
  makeDemo: () => Promise<Demo>;
};

/** Runs operators' commands on a directory. */
const operateOn =
  (dataDir: string): OperatedStack["operate"] =>
  async (program, ...args) => {
    const user = runsAsProcesses ? await unprivilegedUser() : undefined;
    const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
    const env = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache };
    const options = { env, ...user };
    return (await run(process.execPath, [file, ...args], options)).stdout;
  };

/** A product whose operators' commands work on its directory. */
function operated(stack: Stack, dataDir: string): OperatedStack {
  const operate = operateOn(dataDir);
  const makeDemo = async (): Promise<Demo> => {
    // Another journey may be making it.
    const made = async (): Promise<Demo> => {
      const known = await readDemo(dataDir);
      if (known !== undefined) return known;
      await operate("infra/embedded/demo.cli.ts");
      return made();
    };
    return vi.waitFor(made, { timeout: 60_000, interval: 500 });
  };
  return { ...stack, dataDir, operate, makeDemo };
}

/** The whole product, shared with other journeys: nothing may depend on how much it has stored. */
export async function startStack(): Promise<OperatedStack> {
  const product = inject("product");
  return operated(openStack(product), product.dataDir);
}

type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What `npm start` runs, in a directory and on a port of its own. */
const startEmbedded = (dataDir: string, settings: Settings): Promise<Platform> =>
  startPlatform({
    dataDir,
    port: 0,
    logLevel: "warn",
    services: productServices.map((service) => ({
      ...service,
      environment: (context, origin) => ({
        ...service.environment(context, origin),
        ...settings[service.name],
      }),
    })),
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });

/** The whole product, for this journey alone. @param settings of services, by their name */
export async function startOwnStack(settings: Settings = {}): Promise<OperatedStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "journey-"));
  const product = await (runsAsProcesses ? startProcessProduct : startEmbedded)(dataDir, settings);
  const { origin, clickhouse, mail } = product.runtime;
  const stack = openStack({ origin, clickhouse, mailUrl: mail?.webUrl }, async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return operated(stack, dataDir);
}

/** The whole product with registration and plans open to all, for one journey alone. */
export const startOpenStack = (): Promise<OperatedStack> =>
  startOwnStack({ accounts: { REGISTRATION: "open" }, ledger: { BILLING: "open" } });
