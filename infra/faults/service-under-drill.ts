import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

type Definition = {
  name: string;
  /** The program's file. */
  file: string;
  port: number;
  environment: Record<string, string>;
  /** Everything it writes to its outputs goes here as well. */
  logFile: string;
};

/**
 * One service process with a fixed port that a drill may kill at any moment. It is started again
 * at once, without a growing pause: a drill kills far more often than real life does.
 */
export class ServiceUnderDrill {
  readonly name: string;
  readonly url: string;
  readonly #definition: Definition;
  #child: ChildProcess | undefined;
  #stopping = false;
  kills = 0;

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

  /** Starts it, keeps it running, and resolves when it answers that it is ready. */
  async start(): Promise<void> {
    this.#launch();
    await this.untilReady();
  }

  /** Ends the process the hard way, as a power cut would. */
  kill9(): void {
    this.kills += 1;
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

  async untilReady(deadlineMs = 30_000): Promise<void> {
    const end = performance.now() + deadlineMs;
    while (performance.now() < end) {
      const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (response?.ok === true) return;
      await delay(20);
    }
    throw new Error(`${this.name} was not ready within ${deadlineMs} ms`);
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
export async function runOnce(file: string, environment: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [file], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${file} ended with ${child.exitCode}\n${output}`);
}
