import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { Engine } from "./engine.ts";

/** How long a process that is ending may take to let go of the data directory. */
const LOCK_WAIT_MS = 15_000;
const RETRY_MS = 25;

/**
 * Opens the engine's data directory, and waits while a process that is about to end still holds its
 * lock (the engine tells no reason beyond its log, so every failure is tried again until then).
 * @throws when it can't be opened in time
 */
export async function openEngine(dataDir: string): Promise<Engine> {
  const engineDir = join(dataDir, "engine");
  mkdirSync(engineDir, { recursive: true });
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return Engine.open(engineDir);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(RETRY_MS);
  }
}

/**
 * Makes a folder for request bodies and result pipes and works in it from now on. Folders of earlier
 * processes are removed: the engine's lock, which is held, says that none of them is alive.
 */
export function enterRunDir(dataDir: string): void {
  const runs = join(dataDir, "run");
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(runs)) rmSync(join(runs, name), { recursive: true, force: true });
  process.chdir(mkdtempSync(join(runs, "r")));
}
