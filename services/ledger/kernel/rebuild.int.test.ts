import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { consentReceipts, currentConsent } from "../domains/consent/read-models.ts";
import { consentAppend, consentEvent, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { append } from "./append.ts";
import { catchUp, followerOf, stepReadModel } from "./follow.ts";
import type { ReadModel } from "./read-model.ts";
import { rebuildReadModel } from "./rebuild.ts";

let ledger: TestLedger;
const [current, history] = [currentConsent, consentReceipts];
const catchUpHistory = () => catchUp(followerOf(ledger.sql, history));

beforeAll(async () => {
  ledger = await createTestLedger();
  for (let index = 0; index < 30; index += 1) {
    const events = [consentEvent(), consentEvent("ConsentWithdrawn"), consentEvent()];
    await append(ledger, consentAppend({ events: events.slice(index % 3) }));
  }
  await catchUpHistory();
});
afterAll(() => ledger.drop());

const rowsOf = (model: ReadModel) =>
  ledger.owner<
    { pos: number }[]
  >`select * from ${ledger.owner(`ledger.${model.table}`)} order by pos`;

describe.each([current, history])("rebuilding $table", (model) => {
  it("gives identical digests at the same position, and the same rows", async () => {
    const before = await rowsOf(model);
    const result = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(result).toMatchObject({ model: model.table, equal: true, swapped: true });
    expect(result.rebuilt.rows).toBe(before.length);
    expect(result.rebuilt.rows).toBeGreaterThanOrEqual(30);
    expect(result.rebuilt.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await rowsOf(model)).toEqual(before);
  });

  it("finds a planted difference, keeps the live table, and repairs it when the difference is accepted", async () => {
    const good = await rowsOf(model);
    const table = ledger.owner(`ledger.${model.table}`);
    await ledger.owner`update ${table} set granted = not granted where pos = ${good[3]?.pos ?? 0}`;
    const bad = await rowsOf(model);
    const found = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(found).toMatchObject({ equal: false, swapped: false });
    expect(found.live?.digest).not.toBe(found.rebuilt.digest);
    expect(await rowsOf(model)).toEqual(bad);
    const repaired = await rebuildReadModel(ledger.owner, model, { accept: true });
    expect(repaired).toMatchObject({ equal: false, swapped: true });
    expect(await rowsOf(model)).toEqual(good);
    const again = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(again.equal).toBe(true);
  });

  it.each([
    ["a missing row", "delete from {table} where pos = (select min(pos) from {table})"],
    [
      "a row that no event wrote",
      "insert into {table} select (jsonb_populate_record(t, {key})).* from {table} t limit 1",
    ],
    [
      "a row of another event",
      "update {table} set pos = pos + 1 where pos = (select max(pos) from {table})",
    ],
  ])("finds %s", async (_what, statement) => {
    const { table } = model;
    const key = `jsonb_build_object('visitor_id', '${randomUUID()}', 'receipt_id', '${randomUUID()}')`;
    await ledger.owner.unsafe(
      statement.replaceAll("{table}", `ledger.${table}`).replace("{key}", key),
    );
    const found = await rebuildReadModel(ledger.owner, model, { accept: true });
    expect(found).toMatchObject({ equal: false, swapped: true });
  });

  it("keeps indexes, rights and views of the table, and leaves nothing behind", async () => {
    const table = `ledger.${model.table}`;
    const describeTable = () => ledger.owner`
      select (select count(*)::int from pg_index where indrelid = ${table}::regclass) as indexes,
             has_table_privilege('ledger_app', ${table}, 'SELECT') as readable,
             has_table_privilege('ledger_app', ${table}, 'INSERT') as writable,
             (select reloptions from pg_class where oid = 'ledger.consent_gate'::regclass) as gate,
             (select count(*)::int from pg_class where relname ~ '__(shadow|old)$') as leftovers`;
    const before = await describeTable();
    expect(before).toMatchObject([{ readable: true, writable: false, leftovers: 0 }]);
    await rebuildReadModel(ledger.owner, model, { accept: true });
    expect(await describeTable()).toEqual(before);
  });
});

describe("a rebuild while the ledger is used", () => {
  it("loses no decision: the gate shows each one as soon as it is acknowledged", async () => {
    const visitors: string[] = [];
    const lost: string[] = [];
    let rebuilding = true;
    const appending = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (rebuilding) {
          const stream = newStream();
          await append(ledger, consentAppend({ stream }));
          const visitor = stream.slice("consent-".length);
          const gate = await ledger.collector`
            select granted from ledger.consent_gate where visitor_id = ${visitor}`;
          if (gate[0]?.["granted"] !== true) lost.push(visitor);
          visitors.push(visitor);
          await catchUpHistory();
        }
      }),
    );
    try {
      for (let round = 0; round < 8; round += 1) {
        for (const model of [current, history]) {
          const result = await rebuildReadModel(ledger.owner, model, { accept: false });
          expect(result).toMatchObject({ equal: true, swapped: true });
        }
      }
    } finally {
      rebuilding = false;
    }
    await appending;
    await catchUpHistory();
    const kept = await ledger.sql`
      select visitor_id from ledger.consent_current join ledger.consent_receipt using (visitor_id)
       where visitor_id = any (${visitors}::uuid[])`;
    expect(lost).toEqual([]);
    expect(visitors.length).toBeGreaterThan(8);
    expect(kept).toHaveLength(visitors.length);
  });

  it("leaves a follower where it was, so that it goes on from there", async () => {
    await append(ledger, consentAppend());
    const checkpoint = () =>
      ledger.owner`select epoch, pos from ledger.checkpoint where follower = ${history.table}`;
    const before = await checkpoint();
    const result = await rebuildReadModel(ledger.owner, history, { accept: false });
    expect(result).toMatchObject({ equal: true, position: before[0]?.["pos"] });
    expect(await checkpoint()).toEqual(before);
    expect(await stepReadModel(ledger.sql, history)).toBe("caught_up");
    expect(await checkpoint()).not.toEqual(before);
  });

  it("is done by one at a time", async () => {
    const second = openPool(ledger.ownerUrl, { max: 1, applicationName: "test-second" });
    const results = await Promise.all([
      rebuildReadModel(ledger.owner, current, { accept: false }),
      rebuildReadModel(second, current, { accept: false }),
    ]);
    expect(results).toMatchObject([{ equal: true }, { equal: true }]);
    await second.end();
  });
});

describe("a rebuild that fails", () => {
  it("leaves the live table as it was", async () => {
    const broken: ReadModel = {
      ...current,
      applyStored: () => {
        throw new Error("not understood");
      },
    };
    const before = await rowsOf(current);
    const rebuilding = rebuildReadModel(ledger.owner, broken, { accept: true });
    await expect(rebuilding).rejects.toThrow("not understood");
    expect(await rowsOf(current)).toEqual(before);
  });

  it("is refused where its lock would not hold: on more than one connection", async () => {
    await expect(rebuildReadModel(ledger.sql, current, { accept: false })).rejects.toThrow(
      "exactly one connection",
    );
  });
});
