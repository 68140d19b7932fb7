import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { tieToThisProcess } from "./lifeline.ts";
import { LineTail } from "./line-tail.ts";
import { type ProcessSpec, StartFailure } from "./process-spec.ts";

const READY_POLL_MS = 25;
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 10_000;
/** A process that lived this long before it died has earned a fresh backoff. */
const STABLE_AFTER_MS = 30_000;
const OUTPUT_GRACE_MS = 300;

/** One life of the process, from launch to exit. */
type Life = { child: ChildProcess; pid: number; tail: LineTail; exited: Promise<string> };

/**
 * A child process that is started once, awaited until it is ready, started again with a growing
 * pause whenever it dies, and stopped on request. It lives in a process group of its own, so that
 * Ctrl-C in a terminal reaches only this process, which then stops everything in order.
 */
export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  readonly #stopping = new AbortController();
  #life: Life | undefined;
  #restarts = 0;
  #watching: Promise<void> = Promise.resolve();

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
  }

  get name(): string {
    return this.#spec.name;
  }

  /** The number of the running process; undefined between two lives and after the stop. */
  pid(): number | undefined {
    return this.#life?.pid;
  }

  /** How often it was started again after it had died. */
  restarts(): number {
    return this.#restarts;
  }

  /**
   * Resolves when the process is ready.
   * @throws {StartFailure} when it dies or the deadline passes first; nothing is left running then
   */
  async start(): Promise<void> {
    const attempts = this.#spec.firstStartAttempts ?? 1;
    for (let attempt = 1; ; attempt += 1) {
      const life = await this.#launch();
      try {
        await this.#untilReady(life);
        this.#watching = this.#watch(life);
        return;
      } catch (error) {
        await this.#end(life);
        if (attempt >= attempts || this.#isStopping()) throw error;
      }
    }
  }

  /** Asks the process to stop, then insists. Resolves when it is gone; safe to call at any time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#life !== undefined) await this.#end(this.#life);
    await this.#watching;
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #launch(): Promise<Life> {
    await this.#spec.beforeLaunch?.();
    const { command, args, environment, directory, identity, lifeline } = this.#spec;
    const child = spawn(command, args, {
      cwd: directory,
      env: environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", ...(lifeline === "ipc" ? (["ipc"] as const) : [])],
      ...identity,
    });
    const tail = new LineTail(this.#spec.onLine);
    if (child.stdout !== null) tail.follow(child.stdout);
    if (child.stderr !== null) tail.follow(child.stderr);
    const exited = exitOf(child);
    await once(child, "spawn").catch((error: unknown) => {
      throw new StartFailure(this.name, `could not be started: ${String(error)}`, []);
    });
    const life = { child, pid: child.pid ?? 0, tail, exited };
    this.#life = life;
    const cut = lifeline === "shell" ? tieToThisProcess(life.pid, "INT") : undefined;
    void exited.then(() => {
      cut?.();
      if (this.#life === life) this.#life = undefined;
    });
    return life;
  }

  async #untilReady(life: Life): Promise<void> {
    const end = performance.now() + this.#spec.readyWithinMs;
    let ended: string | undefined;
    void life.exited.then((how) => (ended = how));
    for (;;) {
      if (ended !== undefined) throw new StartFailure(this.name, ended, life.tail.lines());
      if (this.#isStopping()) throw new StartFailure(this.name, "was stopped", []);
      if (await this.#spec.isReady(life.pid).catch(() => false)) return;
      if (performance.now() > end) {
        const how = `was not ready within ${this.#spec.readyWithinMs / 1000} s`;
        throw new StartFailure(this.name, how, life.tail.lines());
      }
      await Promise.race([delay(READY_POLL_MS), life.exited]);
    }
  }

  /** Starts the process again, for as long as nobody has asked it to stop. */
  async #watch(first: Life): Promise<void> {
    let backoffMs = BACKOFF_FIRST_MS;
    let life = first;
    let bornAt = performance.now();
    for (;;) {
      let how = await life.exited;
      let lines = life.tail.lines();
      const diedAt = performance.now();
      if (diedAt - bornAt > STABLE_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
      for (let up = false; !up; backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS)) {
        if (this.#isStopping()) return;
        this.#spec.onEvent({ type: "died", name: this.name, how, lines, retryInMs: backoffMs });
        await delay(backoffMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
        if (this.#isStopping()) return;
        try {
          life = await this.#launch();
          await this.#untilReady(life);
          up = true;
        } catch (error) {
          await this.#end(life);
          how = error instanceof Error ? error.message : String(error);
          lines = [];
        }
      }
      this.#restarts += 1;
      bornAt = performance.now();
      this.#spec.onEvent({ type: "restarted", name: this.name, afterMs: bornAt - diedAt });
    }
  }

  async #end(life: Life): Promise<void> {
    life.child.kill(this.#spec.stopSignal);
    const patience = new AbortController();
    const insist = delay(this.#spec.stopWithinMs, undefined, { signal: patience.signal }).then(
      () => life.child.kill("SIGKILL"),
      () => undefined,
    );
    await Promise.race([life.exited, insist]);
    await life.exited;
    patience.abort();
  }
}

/** Resolves with how a process ended, in words, once it has ended and its output is read. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let how = "ended";
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      how = signal === null ? `ended with code ${code ?? "unknown"}` : `was ended by ${signal}`;
      // Its last lines are still in the pipe; a grandchild may hold the pipe open for longer.
      setTimeout(() => resolve(how), OUTPUT_GRACE_MS).unref();
    });
    child.once("close", () => resolve(how));
  });
}
