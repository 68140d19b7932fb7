import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { consentHistory } from "../consent/consent-history.projection.ts";
import { currentConsent } from "../consent/current-consent.projection.ts";
import { consentAppend, consentEvent, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { append } from "./append.ts";
import { type Projection, readingStored, type StoredProjection } from "./projection.ts";
import { rebuildProjection } from "./rebuild.ts";
import { catchUp, stepProjection } from "./run-projections.ts";

let ledger: TestLedger;
const current = readingStored(currentConsent);
const history = readingStored(consentHistory);

beforeAll(async () => {
  ledger = await createTestLedger();
  for (let index = 0; index < 30; index += 1) {
    const events = [consentEvent(), consentEvent("ConsentWithdrawn"), consentEvent()];
    await append(ledger.store, consentAppend({ events: events.slice(index % 3) }));
  }
  await catchUp(ledger.sql, history);
});
afterAll(() => ledger.drop());

const tableOf = (projection: StoredProjection): string => Object.keys(projection.tables)[0] ?? "";
const rowsOf = (projection: StoredProjection) =>
  ledger.owner<
    { pos: number }[]
  >`select * from ${ledger.owner(`ledger.${tableOf(projection)}`)} order by pos`;

describe.each([current, history])("rebuilding $name", (projection) => {
  it("gives identical digests at the same position, and the same rows", async () => {
    const before = await rowsOf(projection);
    const result = await rebuildProjection(ledger.owner, projection, { accept: false });
    expect(result).toMatchObject({ projection: projection.name, equal: true, swapped: true });
    const [table] = result.tables;
    expect(table?.rebuiltRows).toBe(before.length);
    expect(table?.rebuiltRows).toBeGreaterThanOrEqual(30);
    expect(table?.rebuiltDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(await rowsOf(projection)).toEqual(before);
  });

  it("finds a planted difference, keeps the live table, and repairs it when told to", async () => {
    const good = await rowsOf(projection);
    const table = ledger.owner(`ledger.${tableOf(projection)}`);
    await ledger.owner`update ${table} set granted = not granted where pos = ${good[3]?.pos ?? 0}`;
    const bad = await rowsOf(projection);
    const found = await rebuildProjection(ledger.owner, projection, { accept: false });
    expect(found).toMatchObject({ equal: false, swapped: false });
    expect(found.tables[0]?.liveDigest).not.toBe(found.tables[0]?.rebuiltDigest);
    expect(await rowsOf(projection)).toEqual(bad);
    const repaired = await rebuildProjection(ledger.owner, projection, { accept: true });
    expect(repaired).toMatchObject({ equal: false, swapped: true });
    expect(await rowsOf(projection)).toEqual(good);
    const again = await rebuildProjection(ledger.owner, projection, { accept: false });
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
    const table = tableOf(projection);
    const key = `jsonb_build_object('visitor_id', '${randomUUID()}', 'receipt_id', '${randomUUID()}')`;
    await ledger.owner.unsafe(
      statement.replaceAll("{table}", `ledger.${table}`).replace("{key}", key),
    );
    const found = await rebuildProjection(ledger.owner, projection, { accept: true });
    expect(found).toMatchObject({ equal: false, swapped: true });
  });

  it("keeps indexes, rights and views of the table, and leaves nothing behind", async () => {
    const table = `ledger.${tableOf(projection)}`;
    const describeTable = () => ledger.owner`
      select (select count(*)::int from pg_index where indrelid = ${table}::regclass) as indexes,
             has_table_privilege('ledger_app', ${table}, 'SELECT') as readable,
             has_table_privilege('ledger_app', ${table}, 'INSERT') as writable,
             (select reloptions from pg_class where oid = 'ledger.consent_gate'::regclass) as gate,
             (select count(*)::int from pg_class where relname ~ '__(shadow|old)$') as leftovers`;
    const before = await describeTable();
    expect(before).toMatchObject([{ readable: true, writable: false, leftovers: 0 }]);
    await rebuildProjection(ledger.owner, projection, { accept: true });
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
          await append(ledger.store, consentAppend({ stream }));
          const visitor = stream.slice("consent-".length);
          const gate = await ledger.collector`
            select granted from ledger.consent_gate where visitor_id = ${visitor}`;
          if (gate[0]?.["granted"] !== true) lost.push(visitor);
          visitors.push(visitor);
          await catchUp(ledger.sql, history);
        }
      }),
    );
    try {
      for (let round = 0; round < 8; round += 1) {
        for (const projection of [current, history]) {
          const result = await rebuildProjection(ledger.owner, projection, { accept: false });
          expect(result).toMatchObject({ equal: true, swapped: true });
        }
      }
    } finally {
      rebuilding = false;
    }
    await appending;
    await catchUp(ledger.sql, history);
    const kept = await ledger.sql`
      select visitor_id from ledger.consent_current join ledger.consent_receipt using (visitor_id)
       where visitor_id = any (${visitors}::uuid[])`;
    expect(lost).toEqual([]);
    expect(visitors.length).toBeGreaterThan(8);
    expect(kept).toHaveLength(visitors.length);
  });

  it("leaves a follower where it was, so that it goes on from there", async () => {
    await append(ledger.store, consentAppend());
    const checkpoint = () =>
      ledger.owner`select epoch, pos from ledger.checkpoint where projection = ${history.name}`;
    const before = await checkpoint();
    const result = await rebuildProjection(ledger.owner, history, { accept: false });
    expect(result).toMatchObject({ equal: true, position: before[0]?.["pos"] });
    expect(await checkpoint()).toEqual(before);
    expect(await stepProjection(ledger.sql, history)).toBe("caught_up");
    expect(await checkpoint()).not.toEqual(before);
  });

  it("is done by one at a time", async () => {
    const second = openPool(ledger.ownerUrl, { max: 1, applicationName: "test-second" });
    const results = await Promise.all([
      rebuildProjection(ledger.owner, current, { accept: false }),
      rebuildProjection(second, current, { accept: false }),
    ]);
    expect(results).toMatchObject([{ equal: true }, { equal: true }]);
    await second.end();
  });
});

describe("a rebuild that fails", () => {
  it("leaves the live table as it was", async () => {
    const broken: Projection<ConsentEvent> = {
      ...currentConsent,
      evolve: (recorded) => {
        if (recorded.event.type === "ConsentWithdrawn") throw new Error("not understood");
        return currentConsent.evolve(recorded);
      },
    };
    const before = await rowsOf(current);
    const rebuilding = rebuildProjection(ledger.owner, readingStored(broken), { accept: true });
    await expect(rebuilding).rejects.toThrow("not understood");
    expect(await rowsOf(current)).toEqual(before);
  });

  it("is refused where its lock would not hold: on more than one connection", async () => {
    await expect(rebuildProjection(ledger.sql, current, { accept: false })).rejects.toThrow(
      "exactly one connection",
    );
  });
});
