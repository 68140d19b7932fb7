import { spawn } from "node:child_process";

import { LineTail } from "./line-tail.ts";
import { nodeArguments } from "./node-arguments.ts";
import { StartFailure } from "./process-spec.ts";

export type Errand = {
  /** For people, as in "ledger migration". */
  name: string;
  script: string;
  environment: NodeJS.ProcessEnv;
  directory: string;
  withinMs: number;
  /** Ends it early. */
  signal: AbortSignal;
  onLine: (line: string) => void;
};

/**
 * Runs a Node script that ends by itself.
 * @throws {StartFailure} with its last lines when it fails or takes too long
 */
export function runToEnd(errand: Errand): Promise<void> {
  const tail = new LineTail(errand.onLine);
  const timeout = AbortSignal.timeout(errand.withinMs);
  return new Promise((resolve, reject) => {
    const fail = (how: string): void => reject(new StartFailure(errand.name, how, tail.lines()));
    const child = spawn(process.execPath, nodeArguments(errand.script), {
      cwd: errand.directory,
      env: errand.environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      signal: AbortSignal.any([errand.signal, timeout]),
      killSignal: "SIGKILL",
    });
    if (child.stdout !== null) tail.follow(child.stdout);
    if (child.stderr !== null) tail.follow(child.stderr);
    child.once("error", (error) => {
      if (timeout.aborted) fail(`did not end within ${errand.withinMs / 1000} s`);
      else fail(errand.signal.aborted ? "was stopped" : `could not run: ${error.message}`);
    });
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else
        fail(signal === null ? `ended with code ${code ?? "unknown"}` : `was ended by ${signal}`);
    });
  });
}
