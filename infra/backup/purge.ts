import { rm } from "node:fs/promises";
import { join } from "node:path";

import { SignatureBroken } from "@pro-talent/platform/crypto/signed-text";
import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { type Manifest, openBackupLog, readManifest, setNames } from "./manifest.ts";
import type { BackupSettings } from "./settings.ts";
import { dayMs, withBackupLock } from "./take.ts";

/** A set in a backup directory; without its manifest when that was changed. */
export type ListedSet = {
  readonly set: string;
  readonly manifest: Manifest | undefined;
  /** Whether the key exists that opens it. */
  readonly openable: boolean;
};

/** All complete sets, the oldest first. */
export async function listSets(settings: BackupSettings): Promise<ListedSet[]> {
  const { directory, signingKey, keys } = settings;
  const epochs = new Set((await keys.epochs()).map(({ id }) => id));
  const listed: ListedSet[] = [];
  for (const set of await setNames(directory)) {
    const manifest = await readManifest(directory, set, signingKey.id).catch((error: unknown) => {
      if (error instanceof SignatureBroken) return undefined;
      throw error;
    });
    listed.push({ set, manifest, openable: manifest !== undefined && epochs.has(manifest.epoch) });
  }
  return listed;
}

/**
 * Destroys the keys of expired sets, records it, and removes their files. Keys that no manifest names
 * and that are older than a day are destroyed too: they belong to backups that were interrupted.
 * A set whose manifest was changed opens with nothing then.
 * @returns the purged sets
 */
export async function purgeExpired(settings: BackupSettings): Promise<Manifest[]> {
  const { directory, keys, clock } = settings;
  return await withBackupLock(directory, async () => {
    const nowMs = clock();
    const manifests = (await listSets(settings)).flatMap(({ manifest }) => manifest ?? []);
    const isExpired = ({ expiresAt }: Manifest): boolean => Date.parse(expiresAt) <= nowMs;
    const expired = manifests.filter(isExpired);
    const log = openBackupLog(directory, settings.signingKey);
    for (const { set, epoch, madeAt } of expired) {
      await keys.destroy(epoch);
      await log.append({ done: "purged", at: instantFromMs(nowMs), set, madeAt, epoch });
      await rm(join(directory, set), { recursive: true });
    }
    const named = new Set(manifests.map(({ epoch }) => epoch));
    for (const { id, begunAt } of await keys.epochs()) {
      if (!named.has(id) && Date.parse(begunAt) < nowMs - dayMs) await keys.destroy(id);
    }
    await recordHorizon(settings);
    return expired;
  });
}

/**
 * Records how old a backup can be that still opens, whenever that changes, and once a day where there is
 * none: each set has an epoch of its own, begun before it, and opens with nothing else.
 */
async function recordHorizon({ keys, horizon, clock }: BackupSettings): Promise<void> {
  const checkedAt = instantFromMs(clock());
  const begun = (await keys.epochs()).map(({ begunAt }) => begunAt).toSorted();
  const last = (await horizon.read()).at(-1);
  const isKnown =
    begun[0] === undefined
      ? last !== undefined && instantPlus(last.checkedAt, dayMs) > checkedAt
      : last?.oldestRestorableAt === begun[0];
  if (!isKnown) await horizon.append({ oldestRestorableAt: begun[0] ?? checkedAt, checkedAt });
}
