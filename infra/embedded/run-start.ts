import { once } from "node:events";

import { describeFailure } from "@pro-talent/platform/runtime/run-command";

import { banner } from "./banner.ts";
import { DataDirUnusable } from "./data-dir.ts";
import { readEnvironment } from "./env.ts";
import { StartFailure } from "./process/process-spec.ts";
import { type Platform, type PlatformOptions, startPlatform } from "./start-platform.ts";
import { createTerminal, paint, type Terminal } from "./terminal.ts";

/** One Ctrl-C arrives twice, from the terminal and from npm; only a later signal counts as another one. */
const SAME_KEYPRESS_MS = 1000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_CHECK_MS = 1000;

/**
 * Runs one instance until it is asked to stop; how to run it comes from the environment.
 *
 * The first signal stops everything in order. Another one, when that takes too long, ends this
 * process at once; its children notice and end themselves.
 * @returns the exit code
 */
export async function runStart(
  product: Pick<PlatformOptions, "services" | "program">,
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
    if (!interrupted.aborted) await once(interrupted, "abort");
    await stop(platform, terminal);
    return 0;
  } catch (error) {
    if (interrupted.aborted && error === interrupted.reason) return 0;
    console.error(`\n  ${paint("red", "✗")} ${explain(error)}\n`);
    return 1;
  }
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
