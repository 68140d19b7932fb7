import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";

import { describeFailure } from "@pro-talent/platform/runtime/run-command";

import { banner } from "./banner.ts";
import { DataDirUnusable } from "./data-dir.ts";
import { describeDemo, readDemo } from "./demo-world.ts";
import { readEnvironment } from "./env.ts";
import { compileCache } from "./process/compile-cache.ts";
import { spawnTied } from "./process/lifeline.ts";
import { StartFailure } from "./process/process-spec.ts";
import { type Platform, type PlatformOptions, startPlatform } from "./start-platform.ts";
import { createTerminal, paint, type Terminal } from "./terminal.ts";

/** One Ctrl-C arrives twice, from the terminal and from npm; only a later signal counts as another one. */
const SAME_KEYPRESS_MS = 1000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_CHECK_MS = 1000;

/**
 * Runs one instance until it is asked to stop; how to run it comes from the environment. Once it runs, the
 * program `demo` makes its demo, and the sign-ins are shown.
 *
 * The first signal stops everything in order. Another one, when that takes too long, ends this
 * process at once; its children notice and end themselves.
 * @returns the exit code
 */
export async function runStart(
  product: Pick<PlatformOptions, "services" | "program"> & { demo?: string },
): Promise<number> {
  const startedAt = performance.now();
  const terminal = createTerminal((text) => console.log(text));
  const interrupted = listenForSignals();
  try {
    const environment = readEnvironment();
    if (environment.underNpm) stopWithParent();
    const platform = await startPlatform({
      ...environment,
      ...product,
      terminal,
      signal: interrupted,
    });
    terminal.say(banner(platform.runtime, platform.dataDir, performance.now() - startedAt));
    if (product.demo !== undefined && environment.demo) {
      await showDemo(product.demo, platform.dataDir, { terminal, signal: interrupted });
    }
    if (!interrupted.aborted) await once(interrupted, "abort");
    await stop(platform, terminal);
    return 0;
  } catch (error) {
    if (interrupted.aborted && error === interrupted.reason) return 0;
    console.error(`\n  ${paint("red", "✗")} ${explain(error)}\n`);
    return 1;
  }
}

/** The product runs without a demo as well: why there is none is shown, and nothing ends. */
async function showDemo(
  program: string,
  dataDir: string,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  const known = await readDemo(dataDir);
  if (known !== undefined) return terminal.say(describeDemo(known));
  const why = await makeDemo(program, dataDir, signal);
  const made = await readDemo(dataDir);
  if (made !== undefined) return terminal.say(describeDemo(made));
  if (!signal.aborted) terminal.say(`  ${paint("yellow", "!")} There is no demo: ${why}`);
}

/** Runs the program that makes the demo. @returns what it said of a failure */
async function makeDemo(program: string, dataDir: string, signal: AbortSignal): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache };
  const options = { env, signal, killSignal: "SIGTERM" } as const;
  const making = spawnTied(process.execPath, [program], options);
  making.on("error", () => undefined);
  // It must not delay the first answers of the site.
  setPriority(making.pid ?? 0, constants.priority.PRIORITY_LOW);
  making.stdout?.resume();
  const errors = making.stderr === null ? "" : await text(making.stderr);
  return errors.trim();
}

function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const ask = (): void => {
    const now = performance.now();
    if (askedAt !== undefined && now - askedAt > SAME_KEYPRESS_MS) process.exit(130);
    askedAt ??= now;
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, ask);
  return controller.signal;
}

/** A killed npm passes no signal on; without this check, what it started would run on. */
function stopWithParent(): void {
  const parent = process.ppid;
  const check = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  };
  const timer = setInterval(check, PARENT_CHECK_MS);
  timer.unref();
}

async function stop(platform: Platform, terminal: Terminal): Promise<void> {
  const from = performance.now();
  terminal.say(`\n  ${paint("dim", "Stopping …")}`);
  await platform.stop();
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  terminal.say(`  ${paint("dim", `Everything is stopped (${seconds} s). Your data stays.`)}`);
}

/** The reason of a failure, without a stack where there is an action to take. */
function explain(error: unknown): string {
  if (error instanceof StartFailure || error instanceof DataDirUnusable) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    const port = "port" in error ? String(error.port) : "";
    return `Port ${port} is taken. Choose another one: PORT=${Number(port) + 1} npm start`;
  }
  return describeFailure(error);
}
