import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { temporaryFailure } from "@pro-talent/platform/runtime/failed-start";
import { pause } from "@pro-talent/platform/runtime/wait";

import { compileCache } from "./compile-cache.ts";
import { spawnTied } from "./lifeline.ts";
import { type ProcessSpec, StartFailure } from "./process-spec.ts";

const READY_POLL_MS = 25;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 10_000;
const OUTPUT_GRACE_MS = 300;
/** Lines that an error or a notice can quote. */
const LINES_KEPT = 25;

type Ended = { how: string; lines: readonly string[] };

/** One run of the process, from launch to exit. */
type Run = {
  child: ChildProcess;
  pid: number;
  /** The last that it wrote. */
  lines: readonly string[];
  /** Resolves with a description of how it ended. */
  exited: Promise<string>;
  isReady: () => Promise<boolean>;
  ending?: Promise<void>;
};

/**
 * A child process that is started once, awaited until it is ready, started again whenever it dies
 * (with a growing pause while starts fail), and stopped on request. It has a process group of its
 * own, so that Ctrl-C in a terminal reaches only this process, which then stops everything in order.
 */
export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  readonly #stopping = new AbortController();
  #run: Run | undefined;
  #restarts = 0;
  #lastEnd: string | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
  }

  /** The number of the running process; undefined between two runs and after the stop. */
  pid(): number | undefined {
    return this.#run?.pid;
  }

  /** How the last run ended, as in "ended with code 0"; undefined before. */
  lastEnd(): string | undefined {
    return this.#lastEnd;
  }

  /** How often it was started again after it had died. */
  restarts(): number {
    return this.#restarts;
  }

  /**
   * Resolves when the process is ready. One that ends because a store was out of reach is started again until then.
   * @throws {StartFailure} when it dies or the deadline passes first; nothing is left running then
   */
  async start(): Promise<void> {
    const { firstStartAttempts = 1, readyWithinMs } = this.#spec;
    const end = performance.now() + readyWithinMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const storeIsAway = (how: string): boolean =>
          how === withCode(temporaryFailure) && performance.now() < end;
        this.#watching = this.#watch(await this.#launchWhile(storeIsAway));
        return;
      } catch (error) {
        if (attempt >= firstStartAttempts || this.#isStopping()) throw error;
      }
    }
  }

  /** Asks the process to stop, then kills it. Resolves when it is gone; may be called at any time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#run !== undefined) await this.#end(this.#run);
    await this.#watching;
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #launch(): Promise<Run> {
    const { name, beforeLaunch, onLaunch, onReady } = this.#spec;
    await beforeLaunch?.();
    const run = spawnProcess(this.#spec);
    await once(run.child, "spawn").catch((error: unknown) => {
      throw new StartFailure(name, `could not be started: ${String(error)}`, []);
    });
    this.#run = run;
    void run.exited.then((how) => {
      this.#lastEnd = how;
      if (this.#run === run) this.#run = undefined;
    });
    onLaunch?.(run.child);
    try {
      await this.#untilReady(run);
      await onReady?.(run.child);
      return run;
    } catch (error) {
      await this.#end(run);
      throw error;
    }
  }

  async #untilReady(run: Run): Promise<void> {
    const { name, readyWithinMs } = this.#spec;
    const end = performance.now() + readyWithinMs;
    let ended: string | undefined;
    void run.exited.then((how) => (ended = how));
    for (;;) {
      if (ended !== undefined) throw new StartFailure(name, ended, run.lines);
      if (this.#isStopping()) throw new StartFailure(name, "was stopped", []);
      if (await run.isReady()) return;
      if (performance.now() > end) {
        const how = `was not ready within ${readyWithinMs / 1000} s`;
        throw new StartFailure(name, how, run.lines);
      }
      await Promise.race([delay(READY_POLL_MS), run.exited]);
    }
  }

  /** Starts the process again each time it dies, until a stop is requested. */
  async #watch(first: Run): Promise<void> {
    let run = first;
    for (;;) {
      const how = await run.exited;
      const diedAt = performance.now();
      const next = await this.#relaunch({ how, lines: run.lines }, () => true);
      if (next === undefined) return;
      run = next;
      this.#restarts += 1;
      const afterMs = performance.now() - diedAt;
      this.#spec.onEvent({ type: "restarted", name: this.#spec.name, afterMs });
    }
  }

  /** Launches once more, with growing pauses, as long as it ends in a way that allows it. */
  async #launchWhile(mayRepeat: (how: string) => boolean): Promise<Run> {
    return this.#launch().catch(async (error: unknown) => {
      if (!(error instanceof StartFailure) || !mayRepeat(error.how)) throw error;
      const run = await this.#relaunch(error, mayRepeat);
      if (run === undefined) throw error;
      return run;
    });
  }

  /** @returns undefined when a stop is requested @throws what it fails with when that may not be repeated */
  async #relaunch(first: Ended, mayRepeat: (how: string) => boolean): Promise<Run | undefined> {
    let last = first;
    const { name, onEvent, backoffMaxMs = BACKOFF_MAX_MS } = this.#spec;
    for (let retryInMs = BACKOFF_FIRST_MS; ; retryInMs = Math.min(retryInMs * 2, backoffMaxMs)) {
      if (this.#isStopping()) return undefined;
      const { how, lines } = last;
      onEvent({ type: "died", name, how, lines, retryInMs });
      await pause(retryInMs, this.#stopping.signal);
      if (this.#isStopping()) return undefined;
      try {
        return await this.#launch();
      } catch (error) {
        last = error instanceof StartFailure ? error : { how: String(error), lines: [] };
        if (!mayRepeat(last.how)) throw error;
      }
    }
  }

  /** Signals once, however often it is called: a second signal would cut the orderly end short. */
  #end(run: Run): Promise<void> {
    run.ending ??= this.#signal(run);
    return run.ending;
  }

  async #signal(run: Run): Promise<void> {
    run.child.kill(this.#spec.stopSignal);
    const kill = setTimeout(() => run.child.kill("SIGKILL"), this.#spec.stopWithinMs);
    await run.exited;
    clearTimeout(kill);
  }
}

function spawnProcess({ program, environment, directory, identity, onLine }: ProcessSpec): Run {
  // A process group of its own.
  const env = { NODE_COMPILE_CACHE: compileCache, ...environment };
  const options = { cwd: directory, detached: true, env, ...identity };
  const isScript = "script" in program;
  const child = isScript
    ? spawn(process.execPath, [program.script, ...(program.args ?? [])], {
        ...options,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      })
    : spawnTied(program.command, program.args, { ...options, killSignal: "SIGINT" });
  const lines = lastLines([child.stdout, child.stderr], onLine);
  const pid = child.pid ?? 0;
  const exited = exitOf(child);
  let reported = false;
  child.on("message", (message) => (reported ||= message === "ready"));
  const isReady = isScript ? async () => reported : () => program.isReady(pid).catch(() => false);
  return { child, pid, lines, exited, isReady };
}

/** The last lines of some streams, kept up to date; passes each line on. */
function lastLines(
  streams: readonly (Readable | null)[],
  onLine: (line: string) => void,
): readonly string[] {
  const lines: string[] = [];
  for (const input of streams) {
    if (input === null) continue;
    createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
      onLine(line);
    });
  }
  return lines;
}

const withCode = (code: number | null): string => `ended with code ${code ?? "unknown"}`;

/** Resolves with a description of how a process ended, once it has ended and its output is read. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let how = "ended";
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      how = signal === null ? withCode(code) : `was ended by ${signal}`;
      // Its last lines are still in the pipe; a grandchild may hold the pipe open for longer.
      setTimeout(() => resolve(how), OUTPUT_GRACE_MS).unref();
    });
    child.once("close", () => resolve(how));
  });
}
