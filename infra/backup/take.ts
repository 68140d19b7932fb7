import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

import { signedLine } from "@pro-talent/platform/crypto/signed-text";
import { endOf } from "@pro-talent/platform/files/signed-log";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { pack } from "tar-stream";

import { type OpenSet, writeArchive } from "./archive.ts";
import { copyClickhouse } from "./clickhouse.ts";
import {
  beginEpoch,
  partialSuffix,
  syncDirectory,
  withBackupLock,
  writeDurably,
} from "./directory.ts";
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
    const journal = endOf(await settings.journal.lines());
    const epoch = await beginEpoch(settings);
    const set: OpenSet = {
      directory: join(settings.directory, id + partialSuffix),
      id,
      key: randomBytes(32),
    };
    try {
      await mkdir(set.directory, { mode: 0o700 });
      const copied = await copyStores(set, stores, settings.clock);
      const wrappedKey = await settings.keys.wrap(epoch.id, set.key, id);
      const manifest: Manifest = {
        format: 1,
        set: id,
        madeAt: instantFromMs(madeAtMs),
        expiresAt: instantFromMs(madeAtMs + settings.retentionDays * dayMs),
        epoch: epoch.id,
        wrappedKey: wrappedKey.toString("base64"),
        journal,
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

async function copyStores(set: OpenSet, stores: Stores, clock: Clock) {
  const spool = await copyDirectory(set, "spool", stores.spoolDir);
  const visits = await copyClickhouse(set, stores.clickhouseUrl);
  const postgres = await copyPostgres(set, stores.postgresAdminUrl, clock);
  const files = await copyDirectory(set, "files", stores.filesDir);
  return {
    ledger: postgres.ledger,
    wal: postgres.wal,
    visits: visits.visits,
    archives: [postgres.archive, ...visits.archives, files, spool],
  };
}

async function copyDirectory(
  set: OpenSet,
  name: string,
  directory: string | undefined,
): Promise<Archive> {
  const stream = pack();
  const isLeftOut = (path: string): boolean => /(?:^|\/)lock$|\.tmp$/u.test(path);
  const copying =
    directory === undefined ? Promise.resolve() : packDirectory(stream, directory, isLeftOut);
  const packing = copying
    .then(() => stream.finalize())
    .catch((error: unknown) => {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
  const [archive] = await Promise.all([writeArchive(set, name, stream), packing]);
  return archive;
}

async function finish(settings: BackupSettings, set: OpenSet, manifest: Manifest): Promise<void> {
  await writeDurably(
    set.directory,
    manifestFile,
    signedLine(settings.signingKey, manifestPurpose, manifest),
  );
  await rename(set.directory, join(settings.directory, set.id));
  await syncDirectory(settings.directory);
  await recordMade(settings, manifest);
}

/** A line for what begins or is complete, with how far the erasure journal reaches. */
export async function recordMade(
  { directory, signingKey, clock }: BackupSettings,
  made: Pick<Manifest, "set" | "madeAt" | "epoch" | "journal">,
): Promise<void> {
  const { set, madeAt, epoch, journal } = made;
  const at = instantFromMs(clock());
  const line = { done: "made" as const, at, set, madeAt, epoch };
  await openBackupLog(directory, signingKey).append(journal ? { ...line, journal } : line);
}

/** A set is about as large as the one before; the first one is smaller than what it is made of. */
async function requireSpace(settings: BackupSettings, stores: Stores): Promise<void> {
  const { directory } = settings;
  const newest = (await setNames(directory)).at(-1);
  const before =
    newest === undefined
      ? (await bytesBelow(stores.filesDir ?? stores.spoolDir)) + (await bytesBelow(stores.spoolDir))
      : await bytesBelow(join(directory, newest));
  const { bavail, bsize } = await statfs(directory);
  const needed = 2 * before + reserveBytes;
  if (bavail * bsize >= needed) return;
  throw new OperatorError(
    `The disk of ${directory} has no space for a backup: ${Math.ceil(needed / 1e6)} MB are needed, ${Math.floor((bavail * bsize) / 1e6)} MB are free. Nothing was changed.`,
  );
}
