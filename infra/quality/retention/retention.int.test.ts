import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { openAccountsWorker } from "@pro-talent/accounts/service";
import { clickhouseMigrations, migrateCollector } from "@pro-talent/collector/migrate";
import { openCollectorWorker } from "@pro-talent/collector/prune-claims";
import { forgetQuarantined } from "@pro-talent/collector/ship/quarantine";
import { log, workerOptions } from "@pro-talent/ledger/kernel/testing/ledger-workers";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { createTestKeys } from "@pro-talent/ledger/testing/create-test-ledger";
import { buildLedgerWorker, ledgerConnectionsMin } from "@pro-talent/ledger/worker-app";
import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import {
  asRole,
  createTestClickhouse,
  createTestPostgres,
  type TestClickhouse,
} from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { Period } from "@pro-talent/schemas/primitives/data-map";
import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { forgetLogs } from "../../embedded/log-files.ts";
import { CaughtMails } from "../../embedded/mail/caught-mails.ts";
import { dataMaps } from "../data-map/product-data.ts";
import { type Planted, plants } from "./planted-rows.ts";

const assets = dataMaps.flatMap((map) =>
  Object.values(map.assets).flatMap((of) =>
    Object.entries(of).map(([name, { retention }]) => ({ name, ...retention })),
  ),
);
const enforcedBy = (way: (typeof assets)[number]["enforcedBy"]["by"]) =>
  assets.filter(({ enforcedBy: { by } }) => by === way);

const closing: (() => Promise<unknown>)[] = [];
let owner: Sql;
let clickhouse: TestClickhouse;
let startWorkers: () => Promise<void>;

beforeAll(async () => {
  const { ownerUrl, drop } = await createTestPostgres();
  clickhouse = await createTestClickhouse(clickhouseMigrations);
  const { database, url: clickhouseUrl } = clickhouse;
  const queueUrl = asRole(ownerUrl, "jobs_app");
  await migrateLedger(ownerUrl, ownerUrl);
  await migrateAccounts(ownerUrl, queueUrl);
  await migrateCollector({ ownerUrl, clickhouseUrl, database });
  for (const name of ["ledger", "collector"])
    await migrateQueue({ queueUrl, ownerUrl, name, role: "jobs_app" });
  owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  const keys = await createTestKeys();
  const max = ledgerConnectionsMin;
  const sql = openPool(asRole(ownerUrl, "ledger_app"), { max, applicationName: "test-ledger" });
  const secrets = {
    ACCOUNTS_KEY: "a".repeat(64),
    ACCOUNTS_KEY_STORE: pathToFileURL(join(await temporary(), "keys.json")).href,
  };
  closing.push(
    drop,
    () => clickhouse.drop(),
    () => keys.remove(),
    () => sql.end(),
    () => owner.end(),
  );
  const accountsSql = openPool(asRole(ownerUrl, "accounts_app"), {
    max: 1,
    applicationName: "test",
  });
  await openAccountKeys(accountsSql, readKeySettings(secrets), Date.now());
  await accountsSql.end();
  startWorkers = async () => {
    const ledger = await buildLedgerWorker(workerOptions(sql, queueUrl, keys.keys));
    const shared = { QUEUE_URL: queueUrl, PUBLIC_ORIGIN: "https://talent.example" };
    const accounts = await openAccountsWorker(
      {
        ...shared,
        DATABASE_URL: asRole(ownerUrl, "accounts_app"),
        ...secrets,
        LEDGER_URL: "http://127.0.0.1:9",
        INTERNAL_TOKEN: "internal-token-of-the-tests-0123456789",
        SMTP_URL: "smtp://127.0.0.1:9",
        MAIL_FROM: "Pro Talent <hello@talent.example>",
      },
      log,
    );
    const collector = await openCollectorWorker(
      {
        ...shared,
        DATABASE_URL: asRole(ownerUrl, "collector_app"),
        CLICKHOUSE_URL: clickhouseUrl,
        CLICKHOUSE_DATABASE: database,
      },
      log,
    );
    closing.push(() => Promise.all([ledger.close(), accounts.close(), collector.close()]));
  };
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "retention-"));
  closing.push(() => rm(directory, { recursive: true }));
  return directory;
}

/** A minute past the end of the period, and a tenth of it before. */
function times(period: Period | undefined): { over: Date; within: Date } {
  if (period === undefined) throw new Error("No period is declared");
  const nowMs = Date.now();
  const sinceMs = keptSinceMs(period, nowMs);
  return {
    over: new Date(sinceMs - 60_000),
    within: new Date(nowMs - 0.9 * (nowMs - sinceMs)),
  };
}

it("every table that a repeated job empties has a row that is planted here", () => {
  const tables = enforcedBy("job").map(({ name }) => name);
  expect(Object.keys(plants).toSorted()).toEqual(tables.toSorted());
});

it("what has reached its time is deleted by the workers' own schedules, and what has not stays", async () => {
  const planted = await Promise.all(
    enforcedBy("job").map(async ({ name, after }) => {
      const { over, within } = times(after);
      const plant = plants[name];
      if (plant === undefined) throw new Error(`Nothing is planted in ${name}`);
      return { name, over: await plant(owner, over), within: await plant(owner, within) };
    }),
  );
  const isThere = async ({ table, column, value }: Planted) =>
    (await owner`select from ${owner(table)} where ${owner(column)} = ${value}`).length > 0;
  const left = async (which: "over" | "within"): Promise<string[]> => {
    const found: string[] = [];
    for (const row of planted) if (await isThere(row[which])) found.push(row.name);
    return found;
  };
  const all = planted.map(({ name }) => name);
  expect([await left("over"), await left("within")]).toEqual([all, all]);
  await startWorkers();
  await until(
    "everything whose time is over is gone",
    async () => (await left("over")).length === 0,
    20_000,
  );
  expect(await left("within")).toEqual(all);
  const schedules = await owner<
    { name: string }[]
  >`select scheduler_id as name from bullmq.scheduler`;
  const jobs = enforcedBy("job").map(({ enforcedBy: end }) => (end.by === "job" ? end.job : ""));
  expect(schedules.map(({ name }) => name)).toEqual(expect.arrayContaining(jobs));
});

it("ClickHouse deletes what has reached the time that the policy states", async () => {
  const Tables = z.array(z.object({ name: z.string(), statement: z.string() }));
  const { client, database } = clickhouse;
  const result = await client.query({
    query: `SELECT name, create_table_query AS statement FROM system.tables
             WHERE database = {database:String} AND name IN ({names:Array(String)})`,
    query_params: { database, names: enforcedBy("ttl").map(({ name }) => name) },
    format: "JSONEachRow",
  });
  const tables = Tables.parse(await result.json());
  expect(tables).toHaveLength(enforcedBy("ttl").length);
  for (const { name, statement } of tables) {
    const [, column = ""] = /\bTTL toDateTime\((\w+)\)/u.exec(statement) ?? [];
    const { over, within } = times(retentionPeriods.visits);
    const days = [new Date(over.getTime() - 86_400_000), within].map((at) =>
      at.toISOString().slice(0, 10),
    );
    const table = `${database}.${name}`;
    for (const day of days)
      await client.command({ query: `INSERT INTO ${table} (${column}) VALUES ('${day}')` });
    await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    const rows = await client.query({
      query: `SELECT DISTINCT toString(toDate(${column})) AS day FROM ${table}`,
      format: "JSONEachRow",
    });
    expect([name, await rows.json()]).toEqual([name, [{ day: days[1] }]]);
  }
});

/** A file that was last written at this time. */
async function fileOf(directory: string, name: string, at: Date): Promise<void> {
  await writeFile(join(directory, name), "x");
  await utimes(join(directory, name), at, at);
}

it("files that a machine keeps are deleted when their time is over: logs, caught mails, quarantine", async () => {
  const [logs, mails, quarantine] = [await temporary(), await temporary(), await temporary()];
  const { logs: ofLogs, caughtMails, quarantine: ofQuarantine } = retentionPeriods;
  await fileOf(logs, "services.log", new Date());
  await fileOf(logs, "services.2026-01-01T000000.000Z.log", times(ofLogs).over);
  await fileOf(logs, "services.2026-01-20T000000.000Z.log", times(ofLogs).within);
  await fileOf(mails, "old.eml", times(caughtMails).over);
  await fileOf(mails, "young.eml", times(caughtMails).within);
  await fileOf(quarantine, "old.events_in.ndjson", times(ofQuarantine).over);
  await fileOf(quarantine, "young.segment", times(ofQuarantine).within);
  const nowMs = Date.now();
  const caught = await CaughtMails.open(mails);
  await Promise.all([
    forgetLogs(logs, nowMs),
    caught.forget(nowMs),
    forgetQuarantined(quarantine, nowMs),
  ]);
  expect((await readdir(logs)).toSorted()).toEqual([
    "services.2026-01-20T000000.000Z.log",
    "services.log",
  ]);
  expect([await readdir(mails), (await caught.list()).length]).toEqual([["young.eml"], 1]);
  expect(await readdir(quarantine)).toEqual(["young.segment"]);
  expect(await forgetQuarantined(join(quarantine, "missing"), nowMs)).toEqual([]);
});

it("a mail that is caught while the clock of the tests is months ahead is kept for its time from then", async () => {
  const directory = await temporary();
  const caught = await CaughtMails.open(directory);
  const periodMs = 30 * 86_400_000;
  const aheadMs = Date.now() + 2 * periodMs;
  await caught.add(Buffer.from("Subject: Kept\r\n\r\n"), ["to@example.org"], aheadMs);
  await caught.forget(aheadMs);
  expect((await readdir(directory)).length).toBe(1);
  await caught.forget(aheadMs + periodMs + 1000);
  expect(await readdir(directory)).toEqual([]);
});
