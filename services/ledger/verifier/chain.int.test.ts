import { createHash, randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { append } from "../kernel/append.ts";
import { consentAppend, consentEvent, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import type { Finding } from "./findings.ts";
import { verifyLedger } from "./verify.ts";

let ledger: TestLedger;
const events = 40;

beforeAll(async () => {
  ledger = await createTestLedger();
  const shared = newStream();
  for (let index = 0; index < events - 2; index += 1) {
    const change = index % 5 === 0 ? { stream: shared, expected: index / 5 } : {};
    await append(ledger, consentAppend(change));
  }
  const sealed = { sealed: "c2VjcmV0", keyId: randomUUID() };
  await rawAppend(ledger.owner, { stream: "request-sealed", type: "RequestReceived", ...sealed });
  await append(ledger, consentAppend());
  await ledger.owner.unsafe(`create schema kept;
    create table kept.event as table ledger.event; create table kept.head as table ledger.head;
    create table kept.stream as select stream, version from ledger.stream`);
});
afterAll(() => ledger.drop());

// A copy of the whole ledger: each test breaks it, and it is whole again for the next one.
afterEach(() =>
  tamper(`alter table ledger.event drop constraint event_pkey; delete from ledger.event;
    insert into ledger.event select * from kept.event;
    alter table ledger.event add constraint event_pkey primary key (pos);
    delete from ledger.head; insert into ledger.head select * from kept.head;
    delete from ledger.stream; insert into ledger.stream (stream, version) select * from kept.stream`),
);

/** What a superuser could do: switch the triggers off first. */
async function tamper(statements: string): Promise<void> {
  await ledger.owner.begin(async (tx) => {
    await tx`alter table ledger.event disable trigger user`;
    await tx.unsafe(statements);
    await tx`alter table ledger.event enable always trigger frozen`;
    await tx`alter table ledger.event enable always trigger frozen_truncate`;
  });
}

type Place = Pick<Finding, "position" | "why">;

async function findings(): Promise<Place[]> {
  const { findings: found } = await verifyLedger(ledger.owner);
  return found.map(({ position, why }) => ({ position, why }));
}

const sealedAt = events - 1;
const columns: readonly { column: string; value: string; at?: number; why?: Finding["why"] }[] = [
  { column: "epoch", value: "2" },
  { column: "stream", value: "'consent-' || gen_random_uuid()" },
  { column: "version", value: "77" },
  { column: "event_id", value: "gen_random_uuid()" },
  { column: "command_id", value: "gen_random_uuid()" },
  { column: "type", value: "'ConsentWithdrawn'" },
  { column: "schema_version", value: "schema_version + 1" },
  { column: "occurred_at", value: "occurred_at + interval '1 millisecond'" },
  { column: "recorded_at", value: "recorded_at - interval '1 millisecond'" },
  { column: "meta", value: `'{"actorId":"x"}'` },
  { column: "data", value: "replace(data, 'customise', 'accept_all')" },
  { column: "data", value: "data || ' '" },
  { column: "hash", value: "sha256(hash)" },
  { column: "prev", value: "sha256(prev)", why: "prev" },
  { column: "sealed", value: "'\\x00'", at: sealedAt, why: "sealed" },
  { column: "key_id", value: "gen_random_uuid()", at: sealedAt },
  { column: "sealed_hash", value: "sha256('x')", at: sealedAt, why: "sealed" },
];

describe("verifying the ledger", () => {
  it("finds nothing in what was only appended to", async () => {
    const { findings: found, events: checked, end } = await verifyLedger(ledger.owner);
    expect([found, checked, end.position]).toEqual([[], events, events]);
  });

  it("checks every column of an event", async () => {
    const rows = await ledger.owner<{ name: string }[]>`
      select attname as name from pg_attribute
       where attrelid = 'ledger.event'::regclass and attnum > 0 and not attisdropped`;
    const tried = new Set(["pos", ...columns.map((entry) => entry.column)]);
    expect(rows.map((row) => row.name).filter((name) => !tried.has(name))).toEqual([]);
  });

  it.each(columns)(
    "finds a changed $column ($value) at its place",
    async ({ column, value, at, why }) => {
      for (const position of at === undefined ? [1, 7, events] : [at]) {
        await tamper(`update ledger.event set ${column} = ${value} where pos = ${position}`);
        const found = await findings();
        const inChain = found.filter(({ why: found }) =>
          ["prev", "hash", "sealed"].includes(found),
        );
        expect(inChain).toEqual([{ position, why: why ?? "hash" }]);
        await tamper(`delete from ledger.event where pos = ${position};
        insert into ledger.event select * from kept.event where pos = ${position}`);
      }
    },
  );

  it("finds an event that was cut out, at its place", async () => {
    await tamper("delete from ledger.event where pos = 13");
    expect(await findings()).toContainEqual({ position: 13, why: "missing" });
  });

  it("finds the first one missing when the ledger's beginning was cut off", async () => {
    await tamper("delete from ledger.event where pos <= 3");
    expect(await findings()).toContainEqual({ position: 1, why: "missing" });
  });

  it("finds a cut end by the head, which still names it", async () => {
    await tamper(`delete from ledger.event where pos > ${events - 4}`);
    expect(await findings()).toContainEqual({ position: events, why: "head" });
  });

  it("finds a cut end by streams and commands too when the head was turned back", async () => {
    await tamper(`delete from ledger.event where pos > ${events - 1};
      update ledger.head set pos = ${events - 1},
        hash = (select hash from ledger.event where pos = ${events - 1})`);
    expect((await findings()).map((finding) => finding.why).toSorted()).toEqual([
      "command",
      "stream",
    ]);
  });

  it("finds two events that changed places, at both places", async () => {
    await tamper(`update ledger.event set pos = -5 where pos = 5;
      update ledger.event set pos = 5 where pos = 6; update ledger.event set pos = 6 where pos = -5`);
    const positions = (await findings()).map((finding) => finding.position);
    expect(positions).toEqual(expect.arrayContaining([5, 6]));
    expect(positions.filter((position) => ![5, 6, 7].includes(position ?? 0))).toEqual([]);
  });

  it("finds an event that was moved, where it was and where it is, however far", async () => {
    await tamper("update ledger.event set pos = 900000000000 where pos = 20");
    const found = await findings();
    expect(found).toContainEqual({ position: 20, why: "missing" });
    expect(found).toContainEqual({ position: 900000000000, why: "hash" });
  });

  it("finds an event that was put in with a hash of its own, at the break after it", async () => {
    await tamper(`update ledger.event set data = '{}' where pos = 9;
      update ledger.event e set hash = ledger.event_hash(e.prev, e) where pos = 9`);
    expect(await findings()).toEqual([{ position: 10, why: "prev" }]);
  });

  it.each([
    ["pos = pos - 1", events - 1],
    ["pos = pos + 1", events + 1],
    ["hash = sha256(hash)", events],
    ["epoch = epoch + 1", events],
  ])("finds a changed head (%s)", async (change, position) => {
    await tamper(`update ledger.head set ${change}`);
    expect(await findings()).toEqual([{ position, why: "head" }]);
  });

  it("finds a stream whose version was changed", async () => {
    await tamper("update ledger.stream set version = version + 1 where stream = 'request-sealed'");
    expect(await findings()).toEqual([{ position: null, why: "stream" }]);
  });

  it("finds every changed and every missing event", async () => {
    await tamper(`update ledger.event set data = '{}' where pos in (10, 11);
      delete from ledger.event where pos in (20, 21, 30)`);
    expect(await findings()).toEqual(
      expect.arrayContaining([
        { position: 10, why: "hash" },
        { position: 11, why: "hash" },
        { position: 20, why: "missing" },
        { position: 30, why: "missing" },
      ]),
    );
  });
});

describe("the chain", () => {
  it("is the documented one: computed here from the rows, it gives the same hashes", async () => {
    await append(ledger, consentAppend({ events: [consentEvent(), consentEvent()] }));
    const rows = await ledger.owner<ChainRow[]>`
      select *, (extract(epoch from occurred_at) * 1000)::bigint as occurred_ms,
             (extract(epoch from recorded_at) * 1000)::bigint as recorded_ms
        from ledger.event order by pos`;
    let hash: Buffer = Buffer.alloc(32);
    for (const row of rows) {
      hash = hashOf(hash, row);
      expect(row.hash.equals(hash)).toBe(true);
    }
    expect(rows.length).toBeGreaterThan(events);
  });
});

type ChainRow = Record<string, string | number | null> & {
  hash: Buffer;
  sealed_hash: Buffer | null;
};

function hashOf(prev: Buffer, row: ChainRow): Buffer {
  const names = ["pos", "epoch", "stream", "version", "event_id", "command_id", "type"];
  const rest = ["schema_version", "occurred_ms", "recorded_ms", "meta", "data"];
  const fields = [...names, ...rest].map((name) => String(row[name]));
  fields.push(String(row["key_id"] ?? "-"), row.sealed_hash?.toString("hex") ?? "-");
  return createHash("sha256").update(prev).update(fields.join("\u001f"), "utf8").digest();
}
