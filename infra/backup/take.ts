import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

import { signedLine } from "@pro-talent/platform/crypto/signed-text";
import { LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { pack } from "tar-stream";

import { type OpenSet, writeArchive } from "./archive.ts";
import { copyClickhouse } from "./clickhouse.ts";
import {
  type Archive,
  type Manifest,
  manifestFile,
  manifestPurpose,
  openBackupLog,
  setNames,
} from "./manifest.ts";
import { compactInstant, copyPostgres } from "./postgres.ts";
import type { BackupSettings, Stores } from "./settings.ts";
import { bytesBelow, packDirectory } from "./tar.ts";

const partialSuffix = ".partial";
export const dayMs = 24 * 60 * 60_000;
/** What must stay free on the disk of the backups. */
const reserveBytes = 256 * 1024 * 1024;

/**
 * Takes one set of everything: Postgres, ClickHouse, stored files and spool. It gets its name when
 * all of it is on disk; until then nothing counts as a backup.
 * The spool is copied before ClickHouse: what is shipped meanwhile is in both, never in none.
 * @throws OperatorError when another backup is under way, or the disk has no space
 */
export async function takeBackup(settings: BackupSettings, stores: Stores): Promise<Manifest> {
  return await withBackupLock(settings.directory, async () => {
    await requireSpace(settings, stores);
    const madeAtMs = settings.clock();
    const id = `${compactInstant(madeAtMs)}-${randomBytes(4).toString("hex")}`;
    const epochs = await settings.keys.epochs();
    const epoch = await settings.keys.begin(instantFromMs(madeAtMs), epochs.at(-1)?.id);
    const set: OpenSet = {
      directory: join(settings.directory, id + partialSuffix),
      id,
      key: randomBytes(32),
    };
    try {
      await mkdir(set.directory, { mode: 0o700 });
      const copied = await copyStores(set, stores);
      const wrappedKey = await settings.keys.wrap(epoch.id, set.key, id);
      const manifest: Manifest = {
        format: 1,
        set: id,
        madeAt: instantFromMs(madeAtMs),
        expiresAt: instantFromMs(madeAtMs + settings.retentionDays * dayMs),
        epoch: epoch.id,
        wrappedKey: wrappedKey.toString("base64"),
        ...copied,
      };
      await finish(settings, set, manifest);
      return manifest;
    } catch (error) {
      await rm(set.directory, { recursive: true, force: true });
      await settings.keys.destroy(epoch.id);
      throw error;
    }
  });
}

async function copyStores(set: OpenSet, stores: Stores) {
  const spool = await copyDirectory(set, "spool", stores.spoolDir);
  const visits = await copyClickhouse(set, stores.clickhouseUrl);
  const postgres = await copyPostgres(set, stores.postgresAdminUrl);
  const files = await copyDirectory(set, "files", stores.filesDir);
  return {
    ledger: postgres.ledger,
    visits: visits.visits,
    archives: [postgres.archive, ...visits.archives, files, spool],
  };
}

async function copyDirectory(set: OpenSet, name: string, directory: string): Promise<Archive> {
  const stream = pack();
  const packing = packDirectory(stream, directory, (path) => /(?:^|\/)lock$|\.tmp$/u.test(path))
    .then(() => stream.finalize())
    .catch((error: unknown) => {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
  const [archive] = await Promise.all([writeArchive(set, name, stream), packing]);
  return archive;
}

async function finish(settings: BackupSettings, set: OpenSet, manifest: Manifest): Promise<void> {
  const file = await open(join(set.directory, manifestFile), "wx", 0o600);
  try {
    await file.writeFile(signedLine(settings.signingKey, manifestPurpose, manifest));
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(set.directory);
  await rename(set.directory, join(settings.directory, set.id));
  await syncDirectory(settings.directory);
  const { madeAt, epoch } = manifest;
  await openBackupLog(settings.directory, settings.signingKey).append({
    done: "made",
    at: instantFromMs(settings.clock()),
    set: set.id,
    madeAt,
    epoch,
  });
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Runs work that changes a backup directory, alone, after removing what an interrupted backup left.
 * @throws OperatorError when another process does such work
 */
export async function withBackupLock<Result>(
  directory: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = lockOf(directory);
  try {
    for (const name of await readdir(directory)) {
      if (!name.endsWith(partialSuffix)) continue;
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

/** A set is about as large as the one before; the first one is smaller than what it is made of. */
async function requireSpace(settings: BackupSettings, stores: Stores): Promise<void> {
  const { directory } = settings;
  const newest = (await setNames(directory)).at(-1);
  const before =
    newest === undefined
      ? (await bytesBelow(stores.filesDir)) + (await bytesBelow(stores.spoolDir))
      : await bytesBelow(join(directory, newest));
  const { bavail, bsize } = await statfs(directory);
  const needed = 2 * before + reserveBytes;
  if (bavail * bsize >= needed) return;
  throw new OperatorError(
    `The disk of ${directory} has no space for a backup: ${Math.ceil(needed / 1e6)} MB are needed, ${Math.floor((bavail * bsize) / 1e6)} MB are free. Nothing was changed.`,
  );
}
