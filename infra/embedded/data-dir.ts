import { readFile, realpath, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

import { type Lock, LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { requireWritable } from "@pro-talent/platform/runtime/writable";
import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";

const Holder = z.object({ pid: z.number(), origin: z.string() });

/** Postgres and ClickHouse stop in the middle of their work without space. */
const FREE_BYTES_MIN = 128 * 1024 * 1024;

/** The data directory cannot be used right now, for a reason that a person can act on. */
export class DataDirUnusable extends Error {
  override readonly name = "DataDirUnusable";
}

/**
 * Makes the data directory if needed and takes it for this process alone.
 * @param origin where the caller will be reached, for the error of a second one
 * @throws {DataDirUnusable} when it belongs to another user, another instance runs on it, or its disk is
 * nearly full
 * @throws {Unwritable} when nothing can be written there
 */
export async function occupyDataDir(
  path: string,
  origin: string,
): Promise<{ dataDir: string; lock: Lock }> {
  await refuseForeign(path);
  // Root runs Postgres as another user, who must be able to pass; no user may list or read.
  await requireWritable(path, "DATA_DIR", process.getuid?.() === 0 ? 0o711 : 0o700);
  const dataDir = await realpath(path);
  await refuseFull(dataDir);
  const holderFile = join(dataDir, "holder.json");
  const lock = await take(join(dataDir, "lock"), path, holderFile);
  await writePrivateFile(holderFile, JSON.stringify({ pid: process.pid, origin }));
  return { dataDir, lock };
}

/** In a data directory from the begin of a restore until every later erasure was carried out again. */
export const sealFile = "restore-not-complete.json";

/**
 * No part of an instance starts on data in which erased persons may be again.
 * @throws {DataDirUnusable} while the restore of a backup is not complete
 */
export async function refuseSealed(dataDir: string): Promise<void> {
  const found = await stat(join(dataDir, sealFile)).catch(() => undefined);
  if (found === undefined) return;
  throw new DataDirUnusable(
    `The restore of a backup to ${dataDir} is not complete, and erasures since then were not carried out again. Repeat it: npm run backup -- restore <set>`,
  );
}

async function refuseFull(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= FREE_BYTES_MIN) return;
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new DataDirUnusable(
    `The disk of ${dataDir} has ${free} MB left, and at least ${FREE_BYTES_MIN / 1024 ** 2} MB are needed. Free some space, or choose another directory: DATA_DIR=<path> npm start`,
  );
}

async function refuseForeign(dataDir: string): Promise<void> {
  const me = process.getuid?.();
  if (me === undefined || me === 0) return;
  for (const file of [dataDir, join(dataDir, "lock"), join(dataDir, "secrets.json")]) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.uid !== me) {
      throw new DataDirUnusable(
        `${dataDir} belongs to another user (uid ${found.uid}). Run as that user, remove it, or choose another directory: DATA_DIR=.data-mine npm start`,
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
