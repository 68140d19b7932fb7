import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { type StartMessage, readReport } from "./child-protocol.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Statements run on libuv's thread pool; the default of 4 would let a few slow ones stop everything. */
const THREADS = "16";

const FIRST_BACKOFF_MS = 20;
const MAX_BACKOFF_MS = 2000;
/** Attempts of the first start. */
const MAX_ATTEMPTS = 4;
const KILL_AFTER_MS = 15_000;
const KEPT_LINES = 20;

type Options = { dataDir: string; password: string; onLog: (line: string) => void };

/** The engine's process told why it can't start; trying again would tell the same. */
class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/** Keeps one engine process alive: the same port, password and data after every crash. */
export class Supervisor {
  readonly #options: Options;
  readonly #lines: string[] = [];
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #port: number;
  #restarts = 0;
  #backoff = FIRST_BACKOFF_MS;
  #stopping = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: Options, port: number) {
    this.#options = options;
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How often a process that had been ready was replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  #log(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    this.#options.onLog(line);
  }

  #fork(): ChildProcess {
    const child = fork(CHILD, {
      execArgv: [],
      // A process group of its own: a terminal that closes must not end it before its parent does.
      detached: true,
      env: { ...process.env, UV_THREADPOOL_SIZE: THREADS },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => this.#log(line));
    }
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once("exit", () => {
        if (this.#child === child) this.#child = undefined;
        resolve();
      });
    });
    return child;
  }

  /** One attempt: resolves when the engine answers, rejects when its process failed or ended. */
  #launch(): Promise<void> {
    const child = this.#fork();
    const { dataDir, password } = this.#options;
    const message: StartMessage = { kind: "start", dataDir, port: this.#port, password };
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        reject(new Error(`It ended with ${signal ?? `code ${code}`}`)),
      );
      child.once("message", (value) => {
        const report = readReport(value);
        if (report.kind === "failed") return reject(new StartRefused(report.message));
        this.#port = report.port;
        resolve();
      });
      child.send(message, (error) => error !== null && reject(error));
    });
  }

  /**
   * Starts the engine for the first time.
   * @throws when it told why it can't, or crashed repeatedly; the message holds its reason and its last lines
   */
  async start(): Promise<void> {
    let reason = "";
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !this.#stopping; attempt += 1) {
      try {
        await this.#launch();
        return this.#watch();
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        await this.#exited;
        if (error instanceof StartRefused) break;
      }
    }
    const lines = this.#lines.length === 0 ? "" : `\n${this.#lines.join("\n")}`;
    throw new Error(`The embedded ClickHouse did not start: ${reason}${lines}`);
  }

  #watch(): void {
    // Only starts that fail make the waits longer.
    this.#backoff = FIRST_BACKOFF_MS;
    void this.#exited.then(() => {
      if (this.#stopping) return;
      this.#log("The embedded ClickHouse has ended and is started again");
      this.#restarts += 1;
      this.#scheduleRestart();
    });
  }

  #scheduleRestart(): void {
    this.#retry = setTimeout(() => void this.#restart(), this.#backoff);
    this.#backoff = Math.min(this.#backoff * 2, MAX_BACKOFF_MS);
  }

  async #restart(): Promise<void> {
    try {
      await this.#launch();
      this.#watch();
    } catch (error) {
      await this.#exited;
      if (this.#stopping) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#log(`The embedded ClickHouse could not be started again: ${reason}`);
      this.#scheduleRestart();
    }
  }

  /** Ends the engine in an orderly way; running statements may finish first. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#retry);
    const child = this.#child;
    if (child === undefined) return;
    if (child.connected) child.send({ kind: "stop" }, () => undefined);
    const kill = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
    await this.#exited;
    clearTimeout(kill);
  }
}
