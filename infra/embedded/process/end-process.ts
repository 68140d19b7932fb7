import { setTimeout as delay } from "node:timers/promises";

import { isRunning } from "./process-identity.ts";

/** One way of asking a process to end, and how long it may take to obey. */
export type EndStep = { signal: NodeJS.Signals; withinMs: number };

/** Sends a signal; a process that is already gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** True as soon as nothing runs under this number any more, false after `withinMs`. */
export async function waitUntilGone(pid: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (await isRunning(pid)) {
    if (performance.now() > end) return false;
    await delay(10);
  }
  return true;
}

/**
 * Ends a process that is not a child of this one, step by step, politely first.
 * @throws when it survives the last step
 */
export async function endProcess(pid: number, steps: readonly EndStep[]): Promise<void> {
  for (const step of steps) {
    signalProcess(pid, step.signal);
    if (await waitUntilGone(pid, step.withinMs)) return;
  }
  throw new Error(`Process ${pid} could not be ended`);
}
