import { randomUUID } from "node:crypto";

import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { migrateCollectorPostgres } from "../migrate.ts";
import { destroyRecognition, LinkVisitors } from "./visitors.ts";

const hourMs = 60 * 60_000;
const link = "00000000-0000-4000-8000-000000000001";
const otherLink = "00000000-0000-4000-8000-000000000002";
const dana = { address: "203.0.113.7", agent: "Firefox", languages: "he" };

let sql: Sql;
let close: () => Promise<void>;
let now: number;
const clock = (): number => now;
const instance = (id = randomUUID()) => new LinkVisitors(sql, [Buffer.alloc(32, 7)], clock, id);

beforeAll(async () => {
  const postgres = await createTestPostgres({
    name: "collector",
    migrate: migrateCollectorPostgres,
  });
  sql = openPool(asRole(postgres.ownerUrl, "collector_app"), { applicationName: "test" });
  close = async () => {
    await sql.end();
    await postgres.drop();
  };
});
afterAll(() => close());
beforeEach(async () => {
  now = Date.UTC(2026, 2, 1, 9);
  await sql`delete from collector.open_visitor`;
  await sql`delete from collector.open_salt`;
});

const idOf = async (visitors = instance(), of = link, traces = dana): Promise<string> =>
  (await visitors.recognise(of, traces)).visitorId;

it("a visitor is one for a link, and another for each other link", async () => {
  const first = await idOf();
  expect(await idOf()).toBe(first);
  expect(await idOf(instance(), otherLink)).not.toBe(first);
  expect(await idOf(instance(), link, { ...dana, address: "203.0.113.8" })).not.toBe(first);
  expect(await idOf(instance(), link, { ...dana, agent: "Chrome" })).not.toBe(first);
});

it("stays one at midnight and through the change of the salt, on every instance", async () => {
  now = Date.UTC(2026, 2, 1, 23, 59);
  const first = await idOf();
  now += 2 * 60_000;
  expect(await idOf()).toBe(first);
  now += 23 * hourMs;
  await destroyRecognition(sql, now);
  expect(await idOf()).toBe(first);
});

it("is no longer recognised after 48 hours, however often the link was opened meanwhile", async () => {
  const first = await idOf();
  for (let hours = 6; hours < 48; hours += 6) {
    now += 6 * hourMs;
    await destroyRecognition(sql, now);
    expect(await idOf()).toBe(first);
  }
  now += 6 * hourMs;
  expect(await idOf()).not.toBe(first);
});

it("is one when many requests come at once, on several instances", async () => {
  const instances = [instance(), instance(), instance()];
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, index) => idOf(instances[index % 3])),
  );
  expect(new Set(ids).size).toBe(1);
});

/** Whether an open now counts; then it is counted. */
async function counts(visitors = instance()): Promise<boolean> {
  const { claim } = await visitors.recognise(link, dana);
  if (claim !== undefined) await visitors.confirm(claim);
  return claim !== undefined;
}

it("an open repeats another one for half an hour after it was counted", async () => {
  expect(await counts()).toBe(true);
  now += 29 * 60_000;
  expect(await counts()).toBe(false);
  now += 60_000;
  expect(await counts()).toBe(true);
});

it("of many opens at once one counts, on several instances", async () => {
  const instances = [instance(), instance(), instance()];
  const counted = await Promise.all(
    Array.from({ length: 60 }, (_, index) => counts(instances[index % 3])),
  );
  expect(counted.filter(Boolean)).toHaveLength(1);
});

it("an open that could not be stored leaves its place to the next one", async () => {
  const visitors = instance();
  const { claim } = await visitors.recognise(link, dana);
  if (claim !== undefined) await visitors.release(claim);
  expect(await counts()).toBe(true);
});

it("a claim of a process that ended is settled when it starts again: counted if it was stored, else released", async () => {
  const id = randomUUID();
  const none = async () => new Set<string>();
  const all = async (ids: ReadonlySet<string>) => ids;
  await instance(id).recognise(link, dana);
  expect(await counts()).toBe(false);
  await instance(id).settleFormer(none);
  const { claim } = await instance(id).recognise(link, dana);
  expect(claim).toBeDefined();
  await instance(id).settleFormer(all);
  now += 29 * 60_000;
  expect(await counts()).toBe(false);
  now += 60_000;
  expect(await counts()).toBe(true);
});

it("a claim of a process that does not start again holds for ten seconds", async () => {
  await instance().recognise(link, dana);
  now += 9_000;
  expect(await counts()).toBe(false);
  now += 1_000;
  expect(await counts()).toBe(true);
});

it("is counted once over midnight too", async () => {
  now = Date.UTC(2026, 2, 1, 23, 50);
  expect(await counts()).toBe(true);
  now += 15 * 60_000;
  expect(await counts()).toBe(false);
});

it("what recognises is destroyed: no salt outlives the next day, no row its 48 hours", async () => {
  const visitors = instance();
  await idOf(visitors);
  now = Date.UTC(2026, 2, 2, 23, 59);
  await destroyRecognition(sql, now);
  const rows = async () => (await sql`select from collector.open_visitor`).length;
  const salts = async () => (await sql`select from collector.open_salt`).length;
  expect([await rows(), await salts()]).toEqual([1, 1]);
  now = Date.UTC(2026, 2, 3, 9);
  await destroyRecognition(sql, now);
  expect([await rows(), await salts()]).toEqual([0, 0]);
});

it("ten thousand visitors are ten thousand", async () => {
  const visitors = instance();
  const ids = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) =>
      idOf(visitors, link, { ...dana, address: `10.${index >> 8}.${index & 255}.1` }),
    ),
  );
  expect(new Set(ids).size).toBe(10_000);
});
