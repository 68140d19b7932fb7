import { randomBytes } from "node:crypto";
import { appendFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";

import { type RunningPostgres, startPostgres } from "../embedded/postgres/start-postgres.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import type { OpenSet } from "./archive.ts";
import { beginEpoch } from "./directory.ts";
import { copyPostgres, restorePostgres } from "./postgres.ts";
import { listCopies, purgeExpired } from "./purge.ts";
import { type BackupSettings, readBackupSettings } from "./settings.ts";
import { dayMs } from "./take.ts";
import { type Archived, WalArchive } from "./wal-archive.ts";
import { listRanges } from "./wal-range.ts";
import { addArchivedLog, gapsInArchive } from "./wal-restore.ts";

const hourMs = 60 * 60_000;
const password = "test-only-password-0123456789";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: RunningPostgres;
let settings: BackupSettings;
let nowMs = Date.parse("2026-03-01T08:00:00.000Z");

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startPostgres({ dataDir: join(directory.path, "postgres"), password });
  const admin = connect(server.url);
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.end();
  await sql("create schema ledger");
  await sql("create table ledger.head as select 1 as epoch, 0 as pos, ''::bytea as hash");
  await sql("create table note (text text)");
}, 60_000);
afterAll(async () => {
  await server.stop();
  await directory.remove();
});

beforeEach(async () => {
  const place = join(directory.path, randomBytes(4).toString("hex"));
  await mkdir(place);
  const key = (): string => randomBytes(32).toString("hex");
  const read = await readBackupSettings({
    BACKUP_DIR: join(place, "backups"),
    BACKUP_KEY_STORE: pathToFileURL(join(place, "keys.json")).href,
    BACKUP_WRAPPING_KEY: key(),
    BACKUP_SIGNING_KEY: key(),
    ERASURE_JOURNAL_FILE: join(place, "journal.jsonl"),
    ERASURE_JOURNAL_KEY: key(),
  });
  settings = { ...read, clock: () => nowMs };
  await mkdir(settings.directory);
});

async function sql(text: string, url = server.url): Promise<object[]> {
  const connection = connect(url, DATABASE);
  try {
    return await connection.unsafe<object[]>(text);
  } finally {
    await connection.end();
  }
}

/** Written, and archived by another process each time. @returns the moment and what the pass did */
async function write(note: string): Promise<{ at: number } & Archived> {
  await sql(`insert into note values ('${note}')`);
  return { at: nowMs, ...(await archive()) };
}

async function archive(): Promise<Archived> {
  return await withArchive((one) => one.pass());
}

async function withArchive<Result>(
  work: (archive: WalArchive) => Promise<Result>,
): Promise<Result> {
  const one = await WalArchive.open(settings, server.url, 6 * hourMs);
  if (one === undefined) throw new Error("Another process archives");
  try {
    return await work(one);
  } finally {
    await one.close();
    nowMs += 1000;
  }
}

const copySet = (): OpenSet => ({
  directory: settings.directory,
  id: "copy",
  key: Buffer.alloc(32),
});

async function copy() {
  return await copyPostgres(copySet(), server.url, settings.clock);
}

/** The notes of a server that starts on the copy with what was archived up to a moment. */
async function notesAt(
  copied: Awaited<ReturnType<typeof copy>>,
  untilMs: number,
): Promise<string[]> {
  const place = join(directory.path, randomBytes(4).toString("hex"));
  await restorePostgres(copySet(), copied.archive, place, async (log) => {
    return (await addArchivedLog(settings, copied.wal, untilMs, log)).files;
  });
  const restored = await startPostgres({ dataDir: join(place, "postgres"), password });
  try {
    const [row] = await sql("select json_agg(text order by ctid) as notes from note", restored.url);
    return Notes.parse(row).notes;
  } finally {
    await restored.stop();
  }
}

const Notes = z.object({ notes: z.array(z.string()) });
const newest = Number.POSITIVE_INFINITY;

it("brings back every moment that was archived, over ranges with keys of their own", async () => {
  await archive();
  await write("first");
  const copied = await copy();
  nowMs += 1000;
  const second = await write("second");
  expect(second.gap).toBeUndefined();
  // The next range begins once the first one is six hours old.
  await withArchive(async (one) => {
    await one.pass();
    nowMs += 7 * hourMs;
    await sql("insert into note values ('third')");
    await one.pass();
  });
  await write("fourth");
  const ranges = await listRanges(settings);
  expect(ranges).toHaveLength(2);
  expect(new Set(ranges.map(({ header }) => header?.epoch)).size).toBe(2);
  expect(await gapsInArchive(settings)).toEqual([]);

  expect(await notesAt(copied, second.at - 1)).toEqual(["first"]);
  expect(await notesAt(copied, second.at)).toEqual(["first", "second"]);
  expect(await notesAt(copied, newest)).toEqual(["first", "second", "third", "fourth"]);

  // A key that is destroyed takes what follows it along: it is not restored over the hole.
  await settings.keys.destroy(ranges[1]?.header?.epoch ?? "");
  expect(await notesAt(copied, newest)).toEqual(["first", "second"]);
  await sql("truncate note");
}, 120_000);

it("goes on after a crash in the middle of a write, without a gap", async () => {
  await archive();
  const copied = await copy();
  nowMs += 1000;
  await write("whole");
  const [range] = await listRanges(settings);
  const place = join(settings.directory, range?.range ?? "");
  const segment = (await readdir(place)).filter((name) => name.endsWith(".sealed")).at(-1) ?? "";
  await appendFile(join(place, segment), Buffer.from([0, 0, 4, 0, 1, 2, 3]));
  expect((await write("after the crash")).gap).toBeUndefined();
  expect(await gapsInArchive(settings)).toEqual([]);
  expect(await notesAt(copied, newest)).toEqual(["whole", "after the crash"]);
  await sql("truncate note");
}, 60_000);

it("reports where log is missing, and begins anew when the server did not keep it", async () => {
  await archive();
  for (const note of ["a", "b"]) await write(note);
  await sql("select pg_drop_replication_slot(slot_name) from pg_replication_slots");
  await sql("insert into note values ('lost')");
  expect((await write("c")).gap).toBe("no range leads to where the server is");
  expect((await write("d")).gap).toBeUndefined();
  const [first, second] = await listRanges(settings);
  expect(first?.header?.history).not.toBe(second?.header?.history);
  const copied = await copy();
  expect(copied.wal.history).toBe(second?.header?.history);

  await sql("select pg_switch_wal()");
  await write("e");
  const place = join(settings.directory, second?.range ?? "");
  const [segment = ""] = (await readdir(place)).filter((name) => name.endsWith(".sealed"));
  await rm(join(place, segment));
  expect(await gapsInArchive(settings)).toEqual([
    expect.stringContaining(`${second?.range ?? ""} misses the write-ahead log from`),
  ]);
}, 60_000);

it("is purged with its key after its time, as sets are", async () => {
  await archive();
  await write("to be purged");
  const [range] = await listCopies(settings);
  expect(await purgeExpired(settings)).toEqual([]);
  nowMs += (settings.retentionDays + 1) * dayMs;
  expect((await purgeExpired(settings)).map(({ name }) => name)).toEqual([range?.name]);
  expect(await settings.keys.epochs()).toEqual([]);
  const [before, after] = await settings.horizon.read();
  expect(before?.oldestRestorableAt).toBe(range?.madeAt);
  expect(after?.purged).toMatchObject([{ copy: range?.name, epoch: range?.epoch }]);
});

it("never has a key in common with what begins at the same time", async () => {
  const epochs = await Promise.all(Array.from({ length: 8 }, () => beginEpoch(settings)));
  expect(new Set(epochs.map(({ id }) => id)).size).toBe(8);
});
