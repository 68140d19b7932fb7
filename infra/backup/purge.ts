import { SignatureBroken } from "@pro-talent/platform/crypto/signed-text";
import { isMissing } from "@pro-talent/platform/files/is-missing";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { PurgedCopy } from "@pro-talent/schemas/privacy/erasure-journal";

import { removeWhole, withBackupLock } from "./directory.ts";
import {
  type LogRecord,
  type Manifest,
  openBackupLog,
  readManifest,
  setNames,
} from "./manifest.ts";
import { removeScratch } from "./scratch.ts";
import type { BackupSettings } from "./settings.ts";
import { dayMs, recordMade } from "./take.ts";
import { listRanges } from "./wal-range.ts";

/** A set in a backup directory; without its manifest when that was changed or is missing. */
export type ListedSet = {
  readonly set: string;
  readonly manifest: Manifest | undefined;
  /** Whether the key exists that opens it. */
  readonly openable: boolean;
};

/** All sets, the oldest first. */
export async function listSets(settings: BackupSettings): Promise<ListedSet[]> {
  const { directory, signingKey, keys } = settings;
  const epochs = new Set((await keys.epochs()).map(({ id }) => id));
  const listed: ListedSet[] = [];
  for (const set of await setNames(directory)) {
    const manifest = await readManifest(directory, set, signingKey.id).catch((error: unknown) => {
      if (error instanceof SignatureBroken) return undefined;
      if (isMissing(error)) return undefined;
      throw error;
    });
    listed.push({ set, manifest, openable: manifest !== undefined && epochs.has(manifest.epoch) });
  }
  return listed;
}

/** A set, or a range of the write-ahead log: what has a key of its own and is purged as a whole. */
export type Copy = {
  readonly name: string;
  readonly madeAt: Instant;
  readonly expiresAt: Instant;
  readonly epoch: string;
  readonly journal: LogRecord["journal"];
};

/** Everything in a backup directory that is what was written, the oldest first. */
export async function listCopies(settings: BackupSettings): Promise<Copy[]> {
  const sets = (await listSets(settings)).flatMap(({ manifest }): Copy[] =>
    manifest === undefined ? [] : [{ ...manifest, name: manifest.set, journal: manifest.journal }],
  );
  const ranges = (await listRanges(settings)).flatMap(({ header }): Copy[] =>
    header === undefined ? [] : [{ ...header, name: header.range, journal: undefined }],
  );
  return [...sets, ...ranges].toSorted((one, other) => (one.madeAt < other.madeAt ? -1 : 1));
}

/**
 * Destroys the keys of expired sets and ranges, records it, and removes their files. Keys that nothing
 * names and that are older than a day are destroyed too: they belong to backups that were interrupted.
 * A set whose manifest was changed opens with nothing then.
 * @returns what was purged
 */
export async function purgeExpired(settings: BackupSettings): Promise<Copy[]> {
  const { directory, keys, clock } = settings;
  return await withBackupLock(directory, async () => {
    const nowMs = clock();
    const copies = await listCopies(settings);
    const log = openBackupLog(directory, settings.signingKey);
    const lines = await log.read();
    const isLogged = (done: LogRecord["done"], name: string): boolean =>
      lines.some((line) => line.done === done && line.set === name);
    // Killed between its name and its line, a set has none yet.
    for (const copy of copies) {
      if (!isLogged("made", copy.name)) await recordMade(settings, { ...copy, set: copy.name });
    }
    const expired = copies.filter(({ expiresAt }) => Date.parse(expiresAt) <= nowMs);
    for (const { name: set, epoch, madeAt } of expired) {
      await keys.destroy(epoch);
      if (!isLogged("purged", set)) {
        await log.append({ done: "purged", at: instantFromMs(nowMs), set, madeAt, epoch });
      }
      await removeWhole(directory, set);
    }
    await removeRemains(settings, isLogged);
    await removeScratch(directory);
    const named = new Set(copies.map(({ epoch }) => epoch));
    for (const { id, begunAt } of await keys.epochs()) {
      if (!named.has(id) && Date.parse(begunAt) < nowMs - dayMs) await keys.destroy(id);
    }
    await recordHorizon(settings);
    return expired;
  });
}

/** Of sets that an earlier version purged while it was killed: without a manifest, and their key is gone. */
async function removeRemains(
  settings: BackupSettings,
  isLogged: (done: "purged", name: string) => boolean,
): Promise<void> {
  for (const { set, manifest } of await listSets(settings)) {
    if (manifest === undefined && isLogged("purged", set))
      await removeWhole(settings.directory, set);
  }
}

/**
 * Records how old a backup can be that still opens, whenever that changes, and once a day where there is
 * none: each set and range has an epoch of its own and opens with nothing else. With what was purged
 * since the line before: the keys that are destroyed.
 */
async function recordHorizon(settings: BackupSettings): Promise<void> {
  const { keys, horizon, clock, directory, signingKey } = settings;
  const checkedAt = instantFromMs(clock());
  const epochs = await keys.epochs();
  const copies = await listCopies(settings);
  // Log is archived a little later than it was written: a range may be older than its key.
  const begun = epochs.map(
    ({ id, begunAt }) =>
      copies.find(({ epoch, madeAt }) => epoch === id && madeAt < begunAt)?.madeAt ?? begunAt,
  );
  const [oldest] = begun.toSorted();
  const last = (await horizon.read()).at(-1);
  const purged = (await openBackupLog(directory, signingKey).read()).flatMap(
    ({ done, set: copy, madeAt, epoch, at }): PurgedCopy[] =>
      done === "purged" && (last === undefined || at > last.checkedAt)
        ? [{ copy, madeAt, epoch, destroyedAt: at }]
        : [],
  );
  const isKnown =
    oldest === undefined
      ? last !== undefined && instantPlus(last.checkedAt, dayMs) > checkedAt
      : last?.oldestRestorableAt === oldest;
  if (isKnown && purged.length === 0) return;
  await horizon.append({ oldestRestorableAt: oldest ?? checkedAt, checkedAt, purged });
}
