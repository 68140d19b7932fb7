import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { z } from "zod";

export type ServiceProcess = {
  url: string;
  /** Everything it has written to its outputs so far. */
  output: () => string;
  /** Ends it politely and gives its exit code back. */
  stop: () => Promise<number | null>;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
};

const Listening = z.object({ type: z.literal("listening"), url: z.url() });

function run(program: string, environment: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const child = fork(file, [], { env: environment, execArgv: [], silent: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString("latin1")));
  }
  const closed = once(child, "close");
  return { child, output: () => output, closed };
}

function exitCode(child: ChildProcess): number | null {
  return child.exitCode;
}

/** Runs a program of a service (`ledger/migrate.ts`) to its end. @throws when it fails */
export async function runProgram(
  program: string,
  environment: Record<string, string>,
): Promise<void> {
  const { child, output, closed } = run(program, environment);
  await closed;
  if (exitCode(child) !== 0) throw new Error(`${program} failed:\n${output()}`);
}

/** Starts a service as a process of its own and resolves when it listens. */
export async function startService(
  program: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const { child, output, closed } = run(program, environment);
  const failed = closed.then(() => Promise.reject(new Error(`${program} ended:\n${output()}`)));
  const [message] = await Promise.race([once(child, "message"), failed]);
  failed.catch(() => undefined);
  return {
    url: Listening.parse(message).url,
    output,
    stop: async () => {
      child.kill("SIGTERM");
      await closed;
      return exitCode(child);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
