import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readlink, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { writePrivateFile } from "../embedded/atomic-file.ts";
import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { occupyDataDir, sealFile } from "../embedded/data-dir.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { type OpenSet, readArchive } from "./archive.ts";
import { countRows, restoreClickhouse } from "./clickhouse.ts";
import { type Archive, type Manifest, openBackupLog, readManifest } from "./manifest.ts";
import { ledgerEnd, restorePostgres, sealDatabase } from "./postgres.ts";
import { beginLedgerEpoch, type Reapplied, reapplyErasures } from "./reapply-erasures.ts";
import type { BackupSettings } from "./settings.ts";
import { unpackInto } from "./tar.ts";

const stores = ["postgres", "clickhouse", "files", "spool"] as const;
const verifier = fileURLToPath(
  new URL("../../services/ledger/verifier/verify.cli.ts", import.meta.url),
);

/** Engines that run on a restored set. */
type Restored = {
  readonly adminUrl: string;
  readonly clickhouseUrl: string;
  readonly stop: () => Promise<void>;
};

/**
 * Restores a set into a scratch directory, starts the engines there, and compares with the manifest.
 * @returns what does not agree; empty when the backup holds
 * @throws ArchiveBroken, SignatureBroken, with the place; OperatorError when its key was destroyed
 */
export async function verifyBackup(
  settings: BackupSettings,
  set: string,
  superuserPassword: string,
): Promise<string[]> {
  const manifest = await readManifest(settings.directory, set, settings.signingKey.id);
  await checkArchives(settings, manifest);
  // Entered also by the user as whom Postgres runs.
  const scratch = await mkdtemp(join(tmpdir(), "backup-verify-"));
  await chmod(scratch, 0o711);
  try {
    const restored = await restoreInto(settings, manifest, scratch, superuserPassword);
    try {
      const differences = await compare(manifest, restored);
      if (differences.length === 0) await record(settings, manifest, "verified");
      return differences;
    } finally {
      await restored.stop();
    }
  } finally {
    await removeStores(scratch);
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Puts a data directory back to a set. Nothing of the product starts on it from the first byte until
 * every erasure of the journal was carried out again: a file refuses `npm start`, and the database
 * refuses every role but superusers. What was there is kept beside it. Keys are not restored.
 * @returns where the former data is, and what of erased subjects the backup held
 * @throws as {@link verifyBackup}; then everything stays sealed, and the restore can be repeated
 */
export async function restoreBackup(
  settings: BackupSettings,
  set: string,
  target: { readonly dataDir: string; readonly superuserPassword: string },
): Promise<{ former: string | undefined; reapplied: Reapplied; differences: string[] }> {
  const manifest = await readManifest(settings.directory, set, settings.signingKey.id);
  const erasures = await settings.journal.read();
  const { dataDir, lock } = await occupyDataDir(target.dataDir, "a restore");
  try {
    await checkArchives(settings, manifest);
    const former = await setAside(dataDir, set, settings.clock());
    const restored = await restoreInto(settings, manifest, dataDir, target.superuserPassword);
    try {
      const differences = await compare(manifest, restored);
      if (differences.length > 0) {
        return { former, reapplied: { keys: 0, accounts: 0 }, differences };
      }
      const reapplied = await reapplyErasures(restored, erasures);
      await beginLedgerEpoch(restored.adminUrl);
      await writePrivateFile(
        join(dataDir, "restored.json"),
        JSON.stringify({
          set,
          restoredAt: instantFromMs(settings.clock()),
          journalledErasures: erasures.length,
          ...reapplied,
        }),
      );
      await record(settings, manifest, "restored");
      await sealDatabase(restored.adminUrl, false);
      await rm(join(dataDir, sealFile));
      return { former, reapplied, differences };
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
  dataDir: string,
  password: string,
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
  await restorePostgres(set, archiveOf("postgres"), dataDir);
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
      return { adminUrl: postgres.url, clickhouseUrl: clickhouse.url, stop };
    } catch (error) {
      await clickhouse.stop();
      throw error;
    }
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Every byte proves authentic before any is used, and before anything that exists is moved. */
async function checkArchives(settings: BackupSettings, manifest: Manifest): Promise<void> {
  const set = await keyOf(settings, manifest);
  for (const archive of manifest.archives) {
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
  const isBetween = end.position >= from.position && end.position <= to.position;
  const isSame = from.position !== to.position || end.hash === from.hash;
  if (!isBetween || !isSame) {
    differences.push(
      `the ledger ends at position ${end.position}, not between ${from.position} and ${to.position} of the manifest`,
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

/** The seal comes first: whatever happens from here on, nothing starts on this directory. */
async function setAside(dataDir: string, set: string, nowMs: number): Promise<string | undefined> {
  const sealedBefore = await readSealed(dataDir);
  const at = instantFromMs(nowMs);
  await writePrivateFile(join(dataDir, sealFile), JSON.stringify({ set, begunAt: at }));
  if (sealedBefore) {
    // Of a restore that was interrupted; the former data was moved by that one.
    await removeStores(dataDir);
    return undefined;
  }
  const former = join(dataDir, `before-restore-${at.slice(0, 19).replaceAll(/[-:]/gu, "")}`);
  await mkdir(former, { mode: 0o711 });
  for (const name of stores) {
    await rename(join(dataDir, name), join(former, name)).catch(unlessMissing);
  }
  return former;
}

async function readSealed(dataDir: string): Promise<boolean> {
  return (await stat(join(dataDir, sealFile)).catch(() => undefined)) !== undefined;
}

async function removeStores(dataDir: string): Promise<void> {
  const elsewhere = await readlink(join(dataDir, "postgres", "elsewhere")).catch(() => undefined);
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true });
  for (const name of stores) await rm(join(dataDir, name), { recursive: true, force: true });
}

async function record(
  { directory, signingKey, clock }: BackupSettings,
  { set, madeAt, epoch }: Manifest,
  done: "verified" | "restored",
): Promise<void> {
  const at = instantFromMs(clock());
  await openBackupLog(directory, signingKey).append({ done, at, set, madeAt, epoch });
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}
