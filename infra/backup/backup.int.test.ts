import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, it } from "vitest";

import { sealFile } from "../embedded/data-dir.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { rememberedSecrets } from "../embedded/secrets.ts";
import { productServices } from "../embedded/services/product-services.ts";
import { type Platform, startPlatform } from "../embedded/start-platform.ts";
import { createTerminal } from "../embedded/terminal.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { openBackupLog, setNames } from "./manifest.ts";
import { openBackups } from "./open-backups.ts";
import { proofOf } from "./proof.ts";
import { listSets, purgeExpired } from "./purge.ts";
import { restoreBackup, verifyBackup } from "./restore.ts";
import { type BackupSettings, readBackupSettings, readStores } from "./settings.ts";
import { dayMs } from "./take.ts";
import { listRanges } from "./wal-range.ts";
import { gapsInArchive } from "./wal-restore.ts";

const silent = createLogger({ service: "backups", level: "silent" });
const command = fileURLToPath(new URL("backup.cli.ts", import.meta.url));
const services = productServices.filter(({ name }) =>
  ["payments-sandbox", "accounts", "ledger", "collector", "insights", "studio"].includes(name),
);

/** Of a sealed archive. */
const chunkBytes = 1024 * 1024 + 16;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let platform: Platform | undefined;
let settings: BackupSettings;
let password: string;
let set: string;
let erasedId: string;
let keptId: string;

const source = () => ({ ...process.env, DATA_DIR: dataDir });

async function start(): Promise<Platform> {
  return await startPlatform({
    dataDir,
    port: 0,
    logLevel: "warn",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
}

const erasedAccount = "0b7c4f7e-9a51-4a6f-8d2e-3a1f5c9e7d10";
const keptAccount = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";

beforeAll(async () => {
  directory = await temporaryDirectory();
  dataDir = join(directory.path, "data");
  platform = await start();
  settings = await readBackupSettings(source());
  password = (await rememberedSecrets(dataDir)).postgresPassword;
  await visit("before the backup");
  for (const account of [erasedAccount, keptAccount]) await openLink(account);
  erasedId = await sendMessage("erased@example.com");
  keptId = await sendMessage("kept@example.com");
}, 120_000);
afterAll(async () => {
  await platform?.stop();
  await directory.remove();
});

async function sql<Row extends object>(text: string, adminUrl?: string): Promise<Row[]> {
  const url = adminUrl ?? (await readStores(source())).postgresAdminUrl;
  const connection = connect(url, DATABASE);
  try {
    return await connection.unsafe<Row[]>(text);
  } finally {
    await connection.end();
  }
}

async function clickhouse(text: string): Promise<string> {
  const {
    origin,
    username,
    password: secret,
  } = new URL((await readStores(source())).clickhouseUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}`;
  const url = `${origin}/?database=pro_talent`;
  const answer = await fetch(url, { method: "POST", body: text, headers: { authorization } });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.text()).trim();
}

async function visit(page: string): Promise<void> {
  await clickhouse(`insert into events_in (event_id, kind, visitor_id, session_id,
    session_started_at, occurred_at, received_at, page) select generateUUIDv4(), 'page_view',
    generateUUIDv4(), generateUUIDv4(), now64(), now64(), now64(), '${page}' from numbers(1000)`);
}

/** A person opens a link of this account. */
async function openLink(accountId: string): Promise<void> {
  await clickhouse(`insert into link_opens (event_id, link_id, account_id, visitor_id, occurred_at)
    select generateUUIDv4(), generateUUIDv4(), '${accountId}', generateUUIDv4(), now64()`);
}

/** @returns the id of the message, which is that of its data subject */
async function sendMessage(email: string): Promise<string> {
  const message = "A message that waits for an answer.";
  const body = { name: "Noa", email, subject: "bug", subjectCategory: "bug", message };
  const answer = await fetch(`${platform?.runtime.origin ?? ""}/api/contact/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, sessionId: null }),
  });
  expect(answer.status).toBeLessThan(300);
  const [row] = await sql<{ id: string }>(
    "select key_id as id from ledger.event where key_id is not null order by pos desc limit 1",
  );
  return row?.id ?? "";
}

/** Every row of the ledger, and the keys and ciphertexts of everyone who is not erased. */
async function content() {
  return {
    events: await sql("select to_jsonb(e) - 'sealed' as event from ledger.event e order by pos"),
    heads: await sql("select pos, hash from ledger.head"),
    living: await sql(`select e.sealed, s.* from ledger.subject s
      join ledger.event e on e.key_id = s.subject_id where s.subject_id <> '${erasedId}' order by pos`),
  };
}
const visits = () =>
  clickhouse("select * from events order by event_id format JSONEachRow").then((text) =>
    text.split("\n"),
  );
const aggregated = () =>
  clickhouse("select count(), uniq(visitor_id), uniq(session_id), max(started_at) from sessions");

/** As `npm start` runs it, with a first set at once. @returns the set, and what its metrics say */
async function takeBySchedule(): Promise<{ set: string; metrics: string }> {
  const environment = { ...source(), BACKUP_FIRST_AFTER_SECONDS: "0" };
  const { app, close } = await openBackups(environment, silent);
  try {
    await until(
      "a set is taken",
      async () => (await setNames(settings.directory)).length > 0,
      90_000,
    );
    const metrics = (await app.inject("/metrics")).body;
    return { set: (await setNames(settings.directory))[0] ?? "", metrics };
  } finally {
    await close();
  }
}

async function restore() {
  return await restoreBackup(
    settings,
    { set, untilMs: 0 },
    { dataDir, superuserPassword: password },
  );
}

it("the schedule takes a first set while everything runs, archives what follows, and it holds when verified", async () => {
  const taken = await takeBySchedule();
  set = taken.set;
  expect(taken.metrics).toMatch(/^backup_newest_set_age_seconds \d/mu);
  expect(taken.metrics).toMatch(/^backup_wal_lag_seconds \d/mu);
  expect(taken.metrics).not.toMatch(/^backup_failures_total\{/mu);
  expect((await listRanges(settings)).map(({ openable }) => openable)).toEqual([true]);
  expect(await gapsInArchive(settings)).toEqual([]);
  expect(await verifyBackup(settings, set, password)).toEqual([]);
}, 180_000);

it("names neither persons nor content, in files or manifests", async () => {
  const names = await readdir(join(settings.directory, set));
  for (const name of names) {
    const bytes = await readFile(join(settings.directory, set, name), "latin1");
    expect(bytes).not.toContain("example.com");
    expect(bytes).not.toContain(keptId);
  }
  expect(names).toContain("postgres.sealed");
});

it("one changed byte in any of its files is refused, with the place", async () => {
  const names = await readdir(join(settings.directory, set));
  for (const name of names.toSorted()) {
    const file = join(settings.directory, set, name);
    const { size } = await stat(file);
    const at = Math.floor(size / 2);
    await flip(file, at);
    const chunk = Math.floor(at / chunkBytes) * chunkBytes;
    const place =
      name === "manifest.json"
        ? "backup manifest was changed"
        : `${name.replace(".sealed", "")} is not what was written, in the chunk from byte ${chunk}`;
    await expect(verifyBackup(settings, set, password)).rejects.toThrow(place);
    await flip(file, at);
  }
}, 120_000);

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, "r+");
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
  await handle.close();
}

it("a backup that is killed leaves nothing that counts as one", async () => {
  const before = await setNames(settings.directory);
  const child = spawn(process.execPath, [command, "take"], { env: source() });
  const ended = once(child, "close");
  await until("it is under way", async () =>
    (await readdir(settings.directory)).some((name) => name.endsWith(".partial")),
  );
  child.kill("SIGKILL");
  await ended;
  expect(await setNames(settings.directory)).toEqual(before);
  // The next work on the directory removes what is left.
  await purgeExpired(settings);
  expect((await readdir(settings.directory)).filter((name) => name.endsWith(".partial"))).toEqual(
    [],
  );
});

/** What the set must bring back. */
let before: {
  rows: Awaited<ReturnType<typeof content>>;
  events: string[];
  sessions: string;
};

it("an interrupted restore stays sealed: the backup holds the erased raw, and nothing serves it", async () => {
  before = { rows: await content(), events: await visits(), sessions: await aggregated() };
  await visit("after the backup");
  await sendMessage("later@example.com");
  await settings.journal.append({
    requestId: "6f9a4c1e-3f0b-4f6e-9d57-0d9a41c6a001",
    erasedAt: instantFromMs(settings.clock()),
    subjectIds: [erasedId],
    accountId: erasedAccount,
    visitorIds: [],
  });
  await expect(restore()).rejects.toThrow("already running");
  await platform?.stop();
  platform = undefined;

  const journal = {
    ...settings.journal,
    lines: async () => [
      ...(await settings.journal.lines()),
      {
        number: 2,
        sha256: "",
        text: "",
        record: {
          requestId: "6f9a4c1e-3f0b-4f6e-9d57-0d9a41c6a002",
          erasedAt: instantFromMs(settings.clock()),
          // What Postgres refuses: the erasures cannot be carried out.
          subjectIds: ["no id"],
          accountId: null,
          visitorIds: [],
        },
      },
    ],
  };
  const target = { dataDir, superuserPassword: password };
  await expect(
    restoreBackup({ ...settings, journal }, { set, untilMs: 0 }, target),
  ).rejects.toThrow("invalid input syntax");
  await expect(start()).rejects.toThrow("is not complete");
  expect(await readdir(dataDir)).toContain(sealFile);

  const server = await startPostgres({ dataDir: join(dataDir, "postgres"), password });
  expect(await sql(erasedRaw(), server.url)).not.toEqual([]);
  const asService = new URL(server.url);
  asService.username = "ledger_app";
  asService.password = (await rememberedSecrets(dataDir)).ledgerPassword;
  await expect(sql("select 1", asService.href)).rejects.toThrow("too many connections");
  await server.stop();
}, 120_000);

const erasedRaw = () =>
  `select from ledger.event where sealed is not null and key_id = '${erasedId}'`;

it("repeated, a restore brings back every row, and erases again who was erased since", async () => {
  const { differences, reapplied } = await restore();
  expect(differences).toEqual([]);
  expect(reapplied).toEqual({ keys: 1, accounts: 0 });
  platform = await start();
  expect(await content()).toEqual(before.rows);
  expect(await visits()).toEqual(before.events);
  expect(await aggregated()).toEqual(before.sessions);
  expect(await clickhouse("select distinct account_id from link_opens")).toBe(keptAccount);
  // What the spool of the set held is shipped by now, and erased too.
  expect(
    await sql("select subject_kind as kind from collector.erasure where requested_at is not null"),
  ).toEqual([{ kind: "account" }]);
  expect(await sql(erasedRaw())).toEqual([]);
}, 120_000);

it("after its time a set is purged: a kept copy of its files opens with nothing that is left", async () => {
  const later: BackupSettings = {
    ...settings,
    clock: () => Date.now() + (settings.retentionDays + 1) * dayMs,
  };
  expect((await listSets(settings)).map(({ openable }) => openable)).toEqual([true]);
  await cp(join(settings.directory, set), join(directory.path, "copy"), { recursive: true });
  const madeAt = (await listSets(settings))[0]?.manifest?.madeAt ?? "";
  const request = "6f9a4c1e-3f0b-4f6e-9d57-0d9a41c6a001";
  const [range] = await listRanges(settings);
  const stateOf = async () => {
    const { copies, agedAt } = await proofOf(later, request, undefined);
    return { keys: copies.map(({ copy, key }) => [copy, key]), isAged: agedAt !== null };
  };
  const made = [range?.range, set];
  const openable = made.map((copy) => [copy, "openable"]);
  expect(await stateOf()).toEqual({ keys: openable, isAged: false });
  expect((await purgeExpired(later)).map(({ name }) => name)).toEqual(made);
  const destroyed = made.map((copy) => [copy, "destroyed"]);
  expect(await stateOf()).toEqual({ keys: destroyed, isAged: true });
  const [before, after] = (await settings.horizon.read()).slice(-2);
  expect(before && before.oldestRestorableAt <= madeAt).toBe(true);
  expect(after && after.oldestRestorableAt > madeAt).toBe(true);
  expect(await setNames(settings.directory)).toEqual([]);
  await cp(join(directory.path, "copy"), join(settings.directory, set), { recursive: true });
  await expect(verifyBackup(settings, set, password)).rejects.toThrow("destroyed");
  const log = await openBackupLog(settings.directory, settings.signingKey).read();
  const ofSet = log.filter((line) => line.set === set);
  expect(ofSet.map(({ done }) => done)).toEqual(["made", "verified", "restored", "purged"]);
  expect(settings.retentionDays + 30).toBeLessThanOrEqual(90);
});
