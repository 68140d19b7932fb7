import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { writePrivateFile } from "../embedded/atomic-file.ts";
import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { occupyDataDir, sealFile } from "../embedded/data-dir.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { type OpenSet, readArchive } from "./archive.ts";
import { countRows, restoreClickhouse } from "./clickhouse.ts";
import { missingFromJournal, requireWholeJournal } from "./journal-check.ts";
import { type Archive, type Manifest, openBackupLog, readManifest } from "./manifest.ts";
import { ledgerEnd, restorePostgres, sealDatabase } from "./postgres.ts";
import { beginLedgerEpoch, type Reapplied, reapplyErasures } from "./reapply-erasures.ts";
import { withScratch } from "./scratch.ts";
import { setAside } from "./set-aside.ts";
import type { BackupSettings } from "./settings.ts";
import { unpackInto } from "./tar.ts";
import { addArchivedLog, type Replayed } from "./wal-restore.ts";

const verifier = fileURLToPath(
  new URL("../../services/ledger/verifier/verify.cli.ts", import.meta.url),
);

/** Engines that run on a restored set. */
type Restored = {
  readonly adminUrl: string;
  readonly clickhouseUrl: string;
  readonly replayed: Replayed;
  readonly stop: () => Promise<void>;
};
const nothing: Reapplied = { keys: 0, accounts: 0 };

/**
 * What is restored: a set, and of the log that was archived after it what is not later than a moment, in
 * milliseconds since 1970. Zero is the set alone, infinity all that was archived.
 */
export type RestorePoint = { readonly set: string; readonly untilMs: number };

/**
 * Restores a set with all archived log that follows it into a scratch directory, starts the engines
 * there, and compares with the manifest.
 * @returns what does not agree; empty when the backup holds
 * @throws ArchiveBroken, SignatureBroken, WalGap, with the place; OperatorError when its key was destroyed
 */
export async function verifyBackup(
  settings: BackupSettings,
  set: string,
  superuserPassword: string,
): Promise<string[]> {
  const manifest = await readManifest(settings.directory, set, settings.signingKey.id);
  await checkArchives(settings, manifest);
  return await withScratch(settings.directory, async (dataDir) => {
    const into = { dataDir, superuserPassword };
    const restored = await restoreInto(settings, manifest, into, Number.POSITIVE_INFINITY);
    try {
      const differences = await compare(manifest, restored);
      if (differences.length === 0) await record(settings, manifest, "verified");
      return differences;
    } finally {
      await restored.stop();
    }
  });
}

type Target = { readonly dataDir: string; readonly superuserPassword: string };

/** What a restore brought back. */
export type Outcome = {
  /** Where the former data is. */
  readonly former: string;
  /** The moment whose state Postgres has. */
  readonly at: Instant;
  /** What of erased subjects the backup held. */
  readonly reapplied: Reapplied;
  readonly differences: readonly string[];
};

/**
 * Puts a data directory back to a set. Nothing of the product starts on it from the first byte until
 * every erasure of the journal was carried out again: a file refuses `npm start`, and the database
 * refuses every role but superusers. What was there is kept beside it. Keys are not restored.
 * @throws as {@link verifyBackup}; then everything stays sealed, and the restore can be repeated
 */
export async function restoreBackup(
  settings: BackupSettings,
  { set, untilMs }: RestorePoint,
  target: Target,
): Promise<Outcome> {
  const manifest = await readManifest(settings.directory, set, settings.signingKey.id);
  const journal = await settings.journal.lines();
  await requireWholeJournal(settings, journal);
  const { dataDir, lock } = await occupyDataDir(target.dataDir, "a restore");
  try {
    await checkArchives(settings, manifest);
    const former = await setAside(dataDir, set, settings.clock());
    const restored = await restoreInto(settings, manifest, { ...target, dataDir }, untilMs);
    try {
      const { at } = restored.replayed;
      const differences = [
        ...(await compare(manifest, restored)),
        ...(await missingFromJournal(restored.adminUrl, journal)),
      ];
      if (differences.length > 0) return { former, at, reapplied: nothing, differences };
      const erasures = journal.map(({ record: entry }) => entry);
      const reapplied = await reapplyErasures(restored, erasures);
      await beginLedgerEpoch(restored.adminUrl);
      await writePrivateFile(
        join(dataDir, "restored.json"),
        JSON.stringify({
          set,
          restoredAt: instantFromMs(settings.clock()),
          at,
          journalledErasures: erasures.length,
          ...reapplied,
        }),
      );
      await record(settings, manifest, "restored");
      await sealDatabase(restored.adminUrl, false);
      await rm(join(dataDir, sealFile));
      return { former, at, reapplied, differences };
    } finally {
      await restored.stop();
    }
  } finally {
    lock.release();
  }
}

async function restoreInto(
  settings: BackupSettings,
  manifest: Manifest,
  { dataDir, superuserPassword: password }: Target,
  untilMs: number,
): Promise<Restored> {
  const set = await keyOf(settings, manifest);
  const archiveOf = (name: string): Archive => {
    const found = manifest.archives.find((archive) => archive.name === name);
    if (found === undefined) throw new OperatorError(`The set has no archive ${name}.`);
    return found;
  };
  for (const name of ["files", "spool"] as const) {
    const directory = join(dataDir, name);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await readArchive(set, archiveOf(name), unpackInto(directory));
  }
  let replayed: Replayed = { at: manifest.madeAt, bytes: 0, files: [] };
  await restorePostgres(set, archiveOf("postgres"), dataDir, async (log) => {
    const { wal } = manifest;
    if (wal !== undefined) replayed = await addArchivedLog(settings, wal, untilMs, log);
    return replayed.files;
  });
  const postgres = await startPostgres({ dataDir: join(dataDir, "postgres"), password });
  try {
    await sealDatabase(postgres.url, true);
    const clickhouse = await startClickhouse({ dataDir: join(dataDir, "clickhouse") });
    const stop = async (): Promise<void> => {
      await clickhouse.stop();
      await postgres.stop();
    };
    try {
      await restoreClickhouse(set, manifest, clickhouse.url);
      return { adminUrl: postgres.url, clickhouseUrl: clickhouse.url, replayed, stop };
    } catch (error) {
      await clickhouse.stop();
      throw error;
    }
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * Every byte proves authentic before any is used, and before anything that exists is moved. The small
 * archives are read first: a fault in one of them is known before the large ones are read.
 */
async function checkArchives(settings: BackupSettings, manifest: Manifest): Promise<void> {
  const set = await keyOf(settings, manifest);
  for (const archive of manifest.archives.toSorted((one, other) => one.bytes - other.bytes)) {
    const nothing = new Writable({ write: (_part, _encoding, done) => done() });
    await readArchive(set, archive, nothing);
  }
}

async function keyOf(
  { directory, keys }: BackupSettings,
  { set, epoch, wrappedKey }: Manifest,
): Promise<OpenSet> {
  try {
    const key = await keys.unwrap(epoch, Buffer.from(wrappedKey, "base64"), set);
    return { directory: join(directory, set), id: set, key };
  } catch (cause) {
    if (!(cause instanceof EpochUnknown)) throw cause;
    throw new OperatorError(`The key of ${set} was destroyed: nothing opens this backup.`, {
      cause,
    });
  }
}

async function compare(manifest: Manifest, restored: Restored): Promise<string[]> {
  const differences = await verifierFindings(restored.adminUrl);
  const { from, to } = manifest.ledger;
  const sql = connect(restored.adminUrl, DATABASE);
  const end = await ledgerEnd(sql);
  await sql.end();
  const upTo = restored.replayed.bytes === 0 ? to.position : Number.POSITIVE_INFINITY;
  const isBetween = end.position >= from.position && end.position <= upTo;
  const isSame = end.position !== from.position || end.hash === from.hash;
  if (!isBetween || !isSame) {
    differences.push(
      `the ledger ends at position ${end.position}, not from ${from.position} to ${upTo} as the manifest says`,
    );
  }
  const counts = await countRows(restored.clickhouseUrl);
  for (const { table, before, after } of manifest.visits) {
    const rows = counts.get(table) ?? -1;
    if (rows >= Math.min(before, after) && rows <= Math.max(before, after)) continue;
    differences.push(`${table} has ${rows} rows, the manifest ${before} to ${after}`);
  }
  return differences;
}

/** Runs the ledger's verifier, a program of its own. @returns its report when it has a finding */
async function verifierFindings(adminUrl: string): Promise<string[]> {
  const url = new URL(adminUrl);
  url.pathname = `/${DATABASE}`;
  const env = { ...process.env, DATABASE_VERIFIER_URL: url.href };
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, [verifier], { env }, (error, stdout, stderr) => {
      if (error === null) resolve([]);
      else if (stdout.includes("The ledger is broken")) resolve(stdout.trim().split("\n"));
      else reject(new OperatorError(`The ledger's verifier could not run. ${stderr.trim()}`));
    });
  });
}

async function record(
  { directory, signingKey, clock }: BackupSettings,
  { set, madeAt, epoch }: Manifest,
  done: "verified" | "restored",
): Promise<void> {
  const at = instantFromMs(clock());
  await openBackupLog(directory, signingKey).append({ done, at, set, madeAt, epoch });
}
