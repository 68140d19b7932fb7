import { randomBytes, randomUUID } from "node:crypto";

import { seal } from "@pro-talent/platform/crypto/seal";
import { keyIdOf } from "@pro-talent/platform/crypto/secrets";
import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createTestLedger,
  type TestLedger,
  testSecrets,
} from "../../testing/create-test-ledger.ts";
import type { Subject } from "../subjects.ts";
import { openKeyring, type WrappedKey } from "./keyring.ts";
import { openTurns, type Turns } from "./testing/turns.ts";

const Personal = z.object({ email: z.string() });
let ledger: TestLedger;
let turns: Turns;

beforeEach(async () => {
  ledger = await createTestLedger({ max: 12 });
  turns = openTurns(ledger);
});
afterEach(() => ledger.drop());

const makeSubject = async () => {
  const email = `noa-${randomUUID()}@example.com`;
  const subject = await ledger.subjects.withAddress("test.subscriber", email);
  return { email, id: subject.id, sealed: subject.seal({ email }).bytes };
};
type Made = Awaited<ReturnType<typeof makeSubject>>;

async function expectReadable(made: readonly Made[]): Promise<void> {
  for (const { id, email, sealed } of made) {
    expect((await ledger.subjects.find(id))?.open(sealed, Personal)).toEqual({ email });
  }
}

const rowOf = async (id: string): Promise<WrappedKey> => {
  const [row] = await ledger.owner<WrappedKey[]>`
    select subject_id, wrapped_key, wrapping_key_id from ledger.subject where subject_id = ${id}`;
  if (row === undefined) throw new Error("There is no such subject");
  return row;
};
const epochs = async (): Promise<string[]> =>
  (await ledger.testKeys.keys.store.epochs()).map(({ id }) => id);

describe("an epoch of keys", () => {
  it("is followed by another, wraps nothing then, and ends for good", async () => {
    const made = [await makeSubject(), await makeSubject()];
    const before = await rowOf(made[0]?.id ?? "");
    const [first = ""] = await epochs();
    await turns.at(12.9);
    expect(await epochs()).toEqual([first]);
    await turns.at(13);
    const [, second = ""] = await epochs();
    // Its key is made a day before it is used: by then a backup of the store has it.
    expect((await rowOf(before.subject_id)).wrapping_key_id).toBe(first);
    await turns.at(14.1);
    expect((await rowOf(before.subject_id)).wrapping_key_id).toBe(second);
    await expectReadable(made);
    expect(await ledger.keyring.unwrap(before)).toHaveLength(32);
    await turns.at(44.9);
    expect(await epochs()).toContain(first);
    await turns.at(45);
    expect(await epochs()).not.toContain(first);
    await expect(ledger.keyring.unwrap(before)).rejects.toThrow(EpochUnknown);
    await expectReadable(made);
    const ended = await ledger.owner`
      select key_id, destroyed_at is not null as destroyed from ledger.ended_epoch`;
    expect(ended).toEqual([{ key_id: first, destroyed: true }]);
  });

  it("leaves no copy of an erased subject's key that opens after sixty days, on whichever day it was erased", async () => {
    const copies: { row: WrappedKey; erasedOn: number }[] = [];
    for (let day = 0; day < 150; day += 1) {
      await turns.at(day);
      if (day > 80) continue;
      const { id } = await makeSubject();
      copies.push({ row: await rowOf(id), erasedOn: day });
      await ledger.destroyKey(id);
    }
    for (const { row } of copies) {
      await expect(ledger.keyring.unwrap(row)).rejects.toThrow(EpochUnknown);
    }
    expect(turns.openableDays(copies)).toEqual([]);
  });

  it("ends in time although the turn to the next one was late", async () => {
    await makeSubject();
    const [first = ""] = await epochs();
    await turns.at(30);
    await turns.at(31);
    await turns.at(45);
    expect(await epochs()).not.toContain(first);
  });

  it("is not ended while a row names it, nor used for a new row after its end", async () => {
    const { id } = await makeSubject();
    const { wrapping_key_id: first } = await rowOf(id);
    const end = async () =>
      (await ledger.keeper<{ ended: boolean }[]>`select ledger.end_epoch(${first}) as ended`)[0];
    expect(await end()).toEqual({ ended: false });
    await turns.at(13);
    await turns.at(14.1);
    expect(await end()).toEqual({ ended: true });
    // This process has not noticed; the database refuses the row, and the next attempt uses the new epoch.
    const late = await makeSubject();
    expect((await rowOf(late.id)).wrapping_key_id).not.toBe(first);
    await expectReadable([late]);
  });
});

describe("keys wrapped directly under the wrapping key by a former version", () => {
  it("are re-wrapped by the first turn; the wrapping key is named until it is replaced", async () => {
    const { wrappingKey } = testSecrets;
    const legacy = keyIdOf(wrappingKey);
    const made = await makeSubject();
    const key = await ledger.keyring.unwrap(await rowOf(made.id));
    await ledger.owner`
      insert into ledger.key_epoch (key_id, used_from) values (${legacy}, now() - interval '1 year')`;
    await ledger.owner`
      update ledger.subject set wrapping_key_id = ${legacy},
        wrapped_key = ${seal(wrappingKey, key, made.id)} where subject_id = ${made.id}`;
    await expectReadable([made]);
    await turns.at(0);
    expect(await epochs()).toContain((await rowOf(made.id)).wrapping_key_id);
    await expectReadable([made]);
    const open = () => ledger.owner`
      select from ledger.ended_epoch where key_id = ${legacy} and destroyed_at is null`;
    expect(await open()).toHaveLength(1);
    await turns.at(0, { wrappingKeys: [randomBytes(32)] });
    expect(await open()).toHaveLength(0);
  });
});

describe("a turn that is interrupted", () => {
  it("at any step loses nothing, and is completed by the next one", async () => {
    const made = [await makeSubject(), await makeSubject(), await makeSubject()];
    for (const day of [13, 14.1, 27, 28.2, 45, 59]) {
      // One step later each time, until a turn runs through; each step fails before and after it is done.
      for (let step = 0; ; step += 1) {
        const outcomes = [
          await turns.interrupted(day, step, "before"),
          await turns.interrupted(day, step, "after"),
        ];
        const named = await ledger.owner<{ id: string }[]>`
          select distinct wrapping_key_id as id from ledger.subject`;
        expect(await epochs()).toEqual(expect.arrayContaining(named.map(({ id }) => id)));
        await expectReadable(made);
        if (outcomes.every((outcome) => outcome === "completed")) break;
      }
    }
    const left = await ledger.owner`select from ledger.ended_epoch where destroyed_at is null`;
    expect(left).toHaveLength(0);
    expect((await epochs()).length).toBeLessThanOrEqual(4);
  });
});

describe("a database that is restored from a backup", () => {
  it("goes on with the newest key of the store, and opens what the backup has", async () => {
    const made = [await makeSubject()];
    const rows = await ledger.owner<WrappedKey[]>`select * from ledger.subject`;
    const known = await ledger.owner<{ key_id: string }[]>`select key_id from ledger.key_epoch`;
    await turns.at(13);
    await turns.at(14.1);
    // The rows of day 0 are back, and the epoch that began on day 14 is not known.
    await ledger.owner`delete from ledger.subject`;
    await ledger.owner`delete from ledger.key_epoch where not key_id = any (${known.map(({ key_id }) => key_id)})`;
    for (const { subject_id, wrapped_key, wrapping_key_id } of rows) {
      await ledger.owner`
        insert into ledger.subject (subject_id, kind, lookup, wrapped_key, wrapping_key_id)
          values (${subject_id}, 'test.subscriber', ${randomBytes(32)}, ${wrapped_key}, ${wrapping_key_id})`;
    }
    const keyring = openKeyring({ ...ledger, keys: ledger.testKeys.keys, log: turns.log });
    await keyring.requireUsable();
    await turns.at(20);
    expect((await rowOf(made[0]?.id ?? "")).wrapping_key_id).toBe((await epochs()).at(-1));
    await expectReadable(made);
  });
});

describe("under load", () => {
  it("epochs and both secrets turn while subjects are made, opened and erased; none is lost", async () => {
    const load = turns.startLoad();
    for (let day = 1; day <= 60; day += 1) {
      await turns.at(day);
      if (day === 20) load.rotate("wrapping");
      if (day === 40) load.rotate("lookup");
      await load.untilMade(day * 8);
    }
    const { made, failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(made.length).toBeGreaterThan(400);
    const subjects: (Subject | undefined)[] = [];
    for (const { email, id } of made) {
      const subject = await load.subjects().withAddress("test.subscriber", email);
      expect(subject.id).toBe(id);
      subjects.push(subject);
    }
    expect(
      made.every(({ email, sealed }, n) => subjects[n]?.open(sealed, Personal).email === email),
    ).toBe(true);
    expect(await load.lookupsOnFormerKey()).toBe(0);
  }, 60_000);
});
