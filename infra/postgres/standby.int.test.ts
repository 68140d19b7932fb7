import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { testRolePassword } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

import { readBackupSettings } from "../backup/settings.ts";
import { WalArchive } from "../backup/wal-archive.ts";
import { lsnFrom } from "../backup/wal-slot.ts";
import { type RunningPostgres, startPostgres } from "../embedded/postgres/start-postgres.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { connect } from "./is-provisioned.ts";
import { DATABASE } from "./roles.ts";
import { startStandby } from "./testing/start-standby.ts";

const runbook = new URL("../docs/runbooks/postgres-standby.md", import.meta.url);

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let primary: RunningPostgres;
let standby: RunningPostgres;

async function sql(
  server: RunningPostgres,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const connection = connect(server.url, DATABASE);
  try {
    return await connection.unsafe<Record<string, unknown>[]>(text);
  } finally {
    await connection.end();
  }
}

const notes = async (server: RunningPostgres): Promise<unknown[]> =>
  (await sql(server, "select text from note order by text")).map(({ text }) => text);

/** A statement of the runbook, as it is there. */
async function fromRunbook(pattern: RegExp): Promise<string> {
  const [found] = pattern.exec(await readFile(runbook, "utf8")) ?? [];
  if (found === undefined) throw new Error(`The runbook has no ${pattern.source}`);
  return found;
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  primary = await startPostgres({
    dataDir: join(directory.path, "primary"),
    password: testRolePassword,
  });
  const admin = connect(primary.url);
  await admin.unsafe(`create database ${DATABASE}`);
  await admin.end();
  await sql(primary, "create schema ledger");
  await sql(
    primary,
    "create table ledger.head as select 1 as epoch, 0 as pos, ''::bytea as hash; create table note (text text)",
  );
  const role = await fromRunbook(/create role standby [^;]+/u);
  await sql(primary, role.replace("<password>", testRolePassword));
  await sql(primary, await fromRunbook(/select pg_create_physical_replication_slot[^;]+/u));
  standby = await startStandby(primary, join(directory.path, "standby"));
}, 60_000);
afterAll(async () => {
  await standby.stop();
  await directory.remove();
});

it("a standby has what the primary committed, refuses to write, and takes its place when it is lost", async () => {
  await sql(primary, "insert into note values ('first')");
  const [position] = await sql(primary, "select pg_current_wal_flush_lsn()::text as lsn");
  const replayed = await fromRunbook(/select pg_last_wal_replay_lsn\(\)[^;]*/u);
  await until("the standby has replayed it", async () => {
    const [row] = await sql(standby, replayed);
    return lsnFrom(String(row?.["lsn"])) >= lsnFrom(String(position?.["lsn"]));
  });
  expect(await notes(standby)).toEqual(["first"]);
  await expect(sql(standby, "insert into note values ('x')")).rejects.toThrow("read-only");
  expect(await sql(primary, await fromRunbook(/select application_name[^;]+/u))).toMatchObject([
    { state: "streaming" },
  ]);

  await primary.stop();
  expect(await sql(standby, await fromRunbook(/select pg_promote\([^;]*/u))).toMatchObject([
    { pg_promote: true },
  ]);
  await sql(standby, "insert into note values ('second')");
  expect(await notes(standby)).toEqual(["first", "second"]);
}, 60_000);

it("the archive of the log begins anew on the new primary, and reports the gap once", async () => {
  const key = (): string => randomBytes(32).toString("hex");
  const settings = await readBackupSettings({
    BACKUP_DIR: join(directory.path, "backups"),
    BACKUP_KEY_STORE: pathToFileURL(join(directory.path, "keys.json")).href,
    BACKUP_WRAPPING_KEY: key(),
    BACKUP_SIGNING_KEY: key(),
    ERASURE_JOURNAL_FILE: join(directory.path, "journal.jsonl"),
    ERASURE_JOURNAL_KEY: key(),
  });
  await mkdir(settings.directory);
  const archive = await WalArchive.open(settings, standby.url, 60_000);
  if (archive === undefined) throw new Error("Another process archives");
  try {
    expect((await archive.pass()).gap).toBeUndefined();
    await sql(standby, "insert into note values ('third')");
    expect((await archive.pass()).bytes).toBeGreaterThan(0);
  } finally {
    await archive.close();
  }
});
