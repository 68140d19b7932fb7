import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { KeyEpoch } from "@pro-talent/platform/keys/key-store";
import { LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { BackupSettings } from "./settings.ts";

/** Root runs Postgres as another user, who must be able to pass to what is verified; no user may list or read. */
export const directoryMode = process.getuid?.() === 0 ? 0o711 : 0o700;
/** Of a set until all of it is on disk. */
export const partialSuffix = ".partial";
/** Of what is purged, until its files are gone. */
const purgedSuffix = ".purged";
const lockWaitMs = 20;
const lockAttemptsMax = 500;

/**
 * Runs work that changes the sets of a backup directory, alone, after removing what an interrupted
 * backup or purge left.
 * @throws OperatorError when another process does such work
 */
export async function withBackupLock<Result>(
  directory: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(directory, { recursive: true, mode: directoryMode });
  const lock = lockOf(directory);
  try {
    for (const name of await readdir(directory)) {
      if (!name.endsWith(partialSuffix) && !name.endsWith(purgedSuffix)) continue;
      await rm(join(directory, name), { recursive: true, force: true });
    }
    return await work();
  } finally {
    lock.release();
  }
}

function lockOf(directory: string) {
  try {
    return takeLock(join(directory, "lock"));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new OperatorError(`Another backup, restore or purge works on ${directory}.`);
  }
}

/** A key for one set or range alone: two that begin at once never get the same one. */
export async function beginEpoch({ directory, keys, clock }: BackupSettings): Promise<KeyEpoch> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const lock = takeLock(join(directory, "epochs.lock"));
      try {
        return await keys.begin(instantFromMs(clock()), (await keys.epochs()).at(-1)?.id);
      } finally {
        lock.release();
      }
    } catch (error) {
      if (!(error instanceof LockHeld) || attempt === lockAttemptsMax) throw error;
      await delay(lockWaitMs);
    }
  }
}

/** Takes a set or range away in one step: one that is half removed does not count as one. */
export async function removeWhole(directory: string, name: string): Promise<void> {
  const leaving = join(directory, name + purgedSuffix);
  await rename(join(directory, name), leaving);
  await syncDirectory(directory);
  await rm(leaving, { recursive: true, force: true });
}

/** Writes a new file and its name to disk. */
export async function writeDurably(directory: string, name: string, text: string): Promise<void> {
  const file = await open(join(directory, name), "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(directory);
}

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
