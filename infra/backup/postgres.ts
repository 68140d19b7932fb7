import { chmod, chown, mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@pro-talent/platform/runtime/clock";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type postgres from "postgres";
import { pack, type Pack } from "tar-stream";

import { findBinaries } from "../embedded/postgres/binaries.ts";
import { placeCluster } from "../embedded/postgres/placement.ts";
import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { type OpenSet, readArchive, writeArchive } from "./archive.ts";
import type { Archive, LedgerEnd, Manifest } from "./manifest.ts";
import { packContent, packDirectory, packFile, unpackInto } from "./tar.ts";
import { archivedHistory } from "./wal-slot.ts";

/** Made anew by the server that starts on the copy (PostgreSQL 18, §25.3.4 and `basebackup.c`). */
const contentLeftOut = [
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
];
const filesLeftOut = /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*)$/u;

export type CopiedPostgres = {
  readonly archive: Archive;
  readonly ledger: { readonly from: LedgerEnd; readonly to: LedgerEnd };
  readonly wal: NonNullable<Manifest["wal"]>;
};

/**
 * Copies the files of the running cluster with the write-ahead log that makes them one state. The
 * slot keeps that log until it is copied, however long the copy takes.
 * @param adminUrl of a superuser on the machine that has the cluster's files
 */
export async function copyPostgres(
  set: OpenSet,
  adminUrl: string,
  clock: Clock,
): Promise<CopiedPostgres> {
  const sql = connect(adminUrl, DATABASE);
  const session = await sql.reserve();
  try {
    const from = await ledgerEnd(session);
    const [place] = await session<{ data_directory: string }[]>`show data_directory`;
    const cluster = await realpath(place?.data_directory ?? "");
    const stream = pack();
    const history = await archivedHistory(session);
    const packing = packCluster(session, stream, cluster).catch((error: unknown) => {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    });
    const [archive, bounds] = await Promise.all([writeArchive(set, "postgres", stream), packing]);
    const stoppedAt = instantFromMs(clock());
    const ledger = { from, to: await ledgerEnd(session) };
    // An archive that begins anew meanwhile does not continue this copy.
    const isContinued = history !== null && history === (await archivedHistory(session));
    const wal = { history: isContinued ? history : null, ...bounds, stoppedAt };
    return { archive, ledger, wal };
  } finally {
    session.release();
    await sql.end();
  }
}

async function packCluster(session: postgres.Sql, stream: Pack, cluster: string) {
  // Both end with the session, also when this process is killed.
  await session`select pg_create_physical_replication_slot('backup', true, true)`;
  const [start] = await session<{ lsn: string; segment: string }[]>`
    select lsn::text, pg_walfile_name(lsn) as segment
      from pg_backup_start('backup', true) as lsn`;
  await packDirectory(stream, cluster, (path) => {
    const [top = "", rest] = path.split(/\/(?<rest>.*)/u);
    return (rest !== undefined && contentLeftOut.includes(top)) || filesLeftOut.test(path);
  });
  const [stop] = await session<{ lsn: string; segment: string; labelfile: string }[]>`
    select lsn::text, pg_walfile_name(lsn) as segment, labelfile from pg_backup_stop(false)`;
  await packContent(stream, "backup_label", stop?.labelfile ?? "");
  const log = join(cluster, "pg_wal");
  for (const name of (await readdir(log)).toSorted()) {
    const needed = name >= (start?.segment ?? "") && name <= (stop?.segment ?? "");
    if (needed || name.endsWith(".history")) {
      await packFile(stream, join(log, name), `pg_wal/${name}`);
    }
  }
  stream.finalize();
  return { start: start?.lsn ?? "", stop: stop?.lsn ?? "" };
}

/**
 * Writes the cluster to `<dataDir>/postgres`, owned by the user that Postgres runs as here.
 * @param addLog writes what was archived of the write-ahead log after the copy into the directory
 */
export async function restorePostgres(
  set: OpenSet,
  archive: Archive,
  dataDir: string,
  addLog: (log: string) => Promise<readonly string[]>,
): Promise<void> {
  const directory = join(dataDir, "postgres");
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const placement = await placeCluster(await realpath(directory), await findBinaries());
  const cluster = join(placement.home, "cluster");
  await mkdir(cluster, { mode: 0o700 });
  const { identity } = placement;
  if (identity !== undefined) await chown(cluster, identity.uid, identity.gid);
  await readArchive(set, archive, unpackInto(cluster, identity));
  await chmod(cluster, 0o700);
  for (const file of await addLog(join(cluster, "pg_wal"))) {
    if (identity !== undefined) await chown(file, identity.uid, identity.gid);
  }
}

/** Where the ledger's chain ends. */
export async function ledgerEnd(sql: postgres.Sql): Promise<LedgerEnd> {
  const [head] = await sql<{ epoch: string; pos: string; hash: Buffer }[]>`
    select epoch, pos, hash from ledger.head`;
  if (head === undefined) throw new Error("There is no ledger in this database");
  return {
    epoch: Number(head.epoch),
    position: Number(head.pos),
    hash: head.hash.toString("hex"),
  };
}

/**
 * Keeps every role but superusers out of the product's database, or lets them in again. The server
 * itself enforces it, whatever starts.
 */
export async function sealDatabase(adminUrl: string, sealed: boolean): Promise<void> {
  const sql = connect(adminUrl);
  try {
    await sql.unsafe(`alter database ${DATABASE} connection limit ${sealed ? 0 : -1}`);
  } finally {
    await sql.end();
  }
}

/** A time as names of sets have it: `20260301t080000z`. */
export function compactInstant(ms: number): string {
  return `${instantFromMs(ms).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase()}z`;
}
