import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";

import { until } from "@pro-talent/platform/testing/until";

type Definition = {
  name: string;
  /** The program's file. */
  file: string;
  port: number;
  environment: Record<string, string>;
  /** Receives all that it prints. */
  logFile: string;
};

/**
 * One service process with a fixed port that a drill may kill at any moment. It is started again
 * at once, without a growing pause: a drill kills far more often than processes die in production.
 */
export class ServiceUnderDrill {
  readonly name: string;
  readonly url: string;
  readonly #definition: Definition;
  #child: ChildProcess | undefined;
  #stopping = false;

  constructor(definition: Definition) {
    this.name = definition.name;
    this.url = `http://127.0.0.1:${definition.port}`;
    this.#definition = definition;
  }

  pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} is not running`);
    return pid;
  }

  /** Starts it, keeps it running, and resolves when it is ready. */
  async start(): Promise<void> {
    this.#launch();
    await this.untilReady();
  }

  /** Ends the process without warning, as a power cut would. */
  kill9(): void {
    this.#child?.kill("SIGKILL");
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }

  /** @throws when it is not ready within 30 seconds */
  async untilReady(): Promise<void> {
    const ready = async (): Promise<boolean> => (await fetch(`${this.url}/readyz`)).ok;
    await until(`${this.name} is ready`, ready, 30_000);
  }

  #launch(): void {
    const { file, port, environment, logFile } = this.#definition;
    const child = spawn(process.execPath, [file], {
      env: { HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "info", ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => void appendFile(logFile, chunk));
    }
    child.once("exit", () => {
      if (!this.#stopping) this.#launch();
    });
    this.#child = child;
  }
}

/** Runs a program to its end. @throws with its output when it fails */
export function runOnce(file: string, environment: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file], { env: environment }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${file} failed\n${stdout}${stderr}`, { cause: error }));
    });
  });
}
