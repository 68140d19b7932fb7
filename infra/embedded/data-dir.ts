import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

import { type Lock, LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";

const Holder = z.object({ pid: z.number(), origin: z.string() });

/** The data directory cannot be used right now, for a reason that a person can act on. */
export class DataDirUnusable extends Error {
  override readonly name = "DataDirUnusable";
}

/**
 * Makes the data directory if needed and takes it for this process alone.
 * @param origin where the caller will be reached, for the error of a second one
 * @throws {DataDirUnusable} when it belongs to another user or another instance runs on it
 */
export async function occupyDataDir(
  path: string,
  origin: string,
): Promise<{ dataDir: string; lock: Lock }> {
  // Root runs Postgres as another user, who must be able to pass; no user may list or read.
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const dataDir = await realpath(path);
  await refuseForeign(dataDir, path);
  const holderFile = join(dataDir, "holder.json");
  const lock = await take(join(dataDir, "lock"), path, holderFile);
  await writePrivateFile(holderFile, JSON.stringify({ pid: process.pid, origin }));
  return { dataDir, lock };
}

async function refuseForeign(dataDir: string, shown: string): Promise<void> {
  const me = process.getuid?.();
  if (me === undefined || me === 0) return;
  for (const file of [dataDir, join(dataDir, "lock"), join(dataDir, "secrets.json")]) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.uid !== me) {
      throw new DataDirUnusable(
        `${shown} belongs to another user (uid ${found.uid}). Run as that user, remove it, or choose another directory: DATA_DIR=.data-mine npm start`,
      );
    }
  }
}

async function take(file: string, shown: string, holderFile: string): Promise<Lock> {
  try {
    return takeLock(file);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    const text = await readFile(holderFile, "utf8").catch(() => "{}");
    const holder = Holder.safeParse(JSON.parse(text));
    const who = holder.success ? ` at ${holder.data.origin} (process ${holder.data.pid})` : "";
    throw new DataDirUnusable(
      `Pro Talent is already running on ${shown}${who}. Stop it first, or run a second one beside it: PORT=3001 DATA_DIR=.data-2 npm start`,
      { cause: error },
    );
  }
}
