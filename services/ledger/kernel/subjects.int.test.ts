import { randomUUID } from "node:crypto";

import { SealBroken } from "@pro-talent/platform/crypto/seal";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { forgetOrphans } from "./subjects.ts";

let ledger: TestLedger;
const Personal = z.object({ email: z.string() });
const subscriber = "test.subscriber";
const sender = "test.sender";
const longAgo = instantFromMs(0);

beforeAll(async () => {
  ledger = await createTestLedger({ max: 20 });
});
afterAll(() => ledger.drop());

const newAddress = (): string => `noa-${randomUUID()}@example.com`;

describe("a subject without any sealed data", () => {
  const aged = (id: string) =>
    ledger.owner`update ledger.subject set created_at = created_at - interval '25 hours'
                  where subject_id = ${id}`;

  it("is forgotten after a day, and no other is", async () => {
    const orphan = await ledger.subjects.ofOccasion(sender, randomUUID(), newAddress());
    const young = await ledger.subjects.ofOccasion(sender, randomUUID(), newAddress());
    const kept = await ledger.subjects.ofOccasion(sender, randomUUID(), newAddress());
    await record(kept.id);
    await aged(orphan.id);
    await aged(kept.id);
    expect(await forgetOrphans(ledger.sql)).toBe(1);
    expect(await forgetOrphans(ledger.sql)).toBe(0);
    expect(await ledger.subjects.find(orphan.id)).toBeUndefined();
    expect(await ledger.subjects.find(young.id)).toBeDefined();
    expect(await ledger.subjects.find(kept.id)).toBeDefined();
  });
});

describe("a subject with an address", () => {
  it("is one for an address, however it is written", async () => {
    const email = newAddress();
    const first = await ledger.subjects.withAddress(subscriber, email);
    const again = await ledger.subjects.withAddress(subscriber, ` ${email.toUpperCase()}`);
    expect(again.id).toBe(first.id);
    expect((await ledger.subjects.withAddress(subscriber, newAddress())).id).not.toBe(first.id);
  });

  it("is one also for many calls at once, and opens what any of them sealed", async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = newAddress();
      const asked = await Promise.all(
        Array.from({ length: 20 }, () => ledger.subjects.withAddress(subscriber, email)),
      );
      expect(new Set(asked.map((subject) => subject.id)).size).toBe(1);
      const sealed = asked[0]?.seal({ email });
      expect(asked.at(-1)?.open(sealed?.bytes ?? Buffer.of(), Personal)).toEqual({ email });
    }
  });

  it("is a new one after being shredded", async () => {
    const email = newAddress();
    const first = await ledger.subjects.withAddress(subscriber, email);
    const sealed = first.seal({ email });
    await ledger.destroyKey(first.id);
    await ledger.destroyKey(first.id);
    expect(await ledger.subjects.find(first.id)).toBeUndefined();
    const second = await ledger.subjects.withAddress(subscriber, email);
    expect(second.id).not.toBe(first.id);
    expect(() => second.open(sealed.bytes, Personal)).toThrow(SealBroken);
  });

  it("exists for each of many callers while it is shredded again and again", async () => {
    const email = newAddress();
    const asking = Array.from({ length: 40 }, async () => {
      const { id } = await ledger.subjects.withAddress(subscriber, email);
      await ledger.destroyKey(id);
      return id;
    });
    expect((await Promise.all(asking)).every((id) => z.uuid().safeParse(id).success)).toBe(true);
  });
});

describe("a subject of one occasion", () => {
  it("is a new one for each message, all found by the address", async () => {
    const email = newAddress();
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) {
      expect((await ledger.subjects.ofOccasion(sender, id, email)).id).toBe(id);
    }
    await ledger.subjects.withAddress(subscriber, email);
    await ledger.subjects.ofOccasion(sender, randomUUID(), newAddress());
    expect(await ledger.subjects.countSince(sender, email.toUpperCase(), longAgo)).toBe(2);
    const tomorrow = instantFromMs(Date.now() + 86_400_000);
    expect(await ledger.subjects.countSince(sender, email, tomorrow)).toBe(0);
  });

  it("stays the same when the message is sent again", async () => {
    const [id, email] = [randomUUID(), newAddress()];
    const sealed = (await ledger.subjects.ofOccasion(sender, id, email)).seal({ email });
    const again = await ledger.subjects.ofOccasion(sender, id, email);
    expect(again.open(sealed.bytes, Personal)).toEqual({ email });
    expect(await ledger.subjects.countSince(sender, email, longAgo)).toBe(1);
  });

  it("takes the address of the repetition as long as nothing was recorded", async () => {
    const [id, slip, email] = [randomUUID(), newAddress(), newAddress()];
    await ledger.subjects.ofOccasion(sender, id, slip);
    await ledger.subjects.ofOccasion(sender, id, email);
    expect(await ledger.subjects.countSince(sender, slip, longAgo)).toBe(0);
    expect(await ledger.subjects.countSince(sender, email, longAgo)).toBe(1);
    await record(id);
    await ledger.subjects.ofOccasion(sender, id, slip);
    expect(await ledger.subjects.countSince(sender, slip, longAgo)).toBe(0);
  });

  it("is never one that has its address alone", async () => {
    const { id } = await ledger.subjects.withAddress(subscriber, newAddress());
    await expect(ledger.subjects.ofOccasion(sender, id, newAddress())).rejects.toMatchObject({
      code: "23505",
    });
  });
});

describe("the table of subjects", () => {
  it("holds no address and no key that works without the environment's", async () => {
    const email = newAddress();
    const { id } = await ledger.subjects.withAddress(subscriber, email);
    const [row] = await ledger.owner<{ text: string; wrapped_key: Buffer }[]>`
      select to_jsonb(s)::text as text, wrapped_key from ledger.subject s where subject_id = ${id}`;
    expect(row?.text).not.toContain("noa-");
    expect(row?.wrapped_key).toHaveLength(32 + 29);
  });

  it("gives a key only with the id that it was made for", async () => {
    const [one, other] = await Promise.all([
      ledger.subjects.withAddress(subscriber, newAddress()),
      ledger.subjects.withAddress(subscriber, newAddress()),
    ]);
    await ledger.owner`
      update ledger.subject set wrapped_key = (
        select wrapped_key from ledger.subject where subject_id = ${one.id})
       where subject_id = ${other.id}`;
    await expect(ledger.subjects.find(other.id)).rejects.toThrow(SealBroken);
  });
});

/** An event whose sealed part belongs to the subject. */
async function record(subjectId: string): Promise<void> {
  const sealed = (await ledger.subjects.find(subjectId))?.seal({}).bytes.toString("base64");
  const event = { stream: `note-${randomUUID()}`, type: "NoteWritten", keyId: subjectId };
  await rawAppend(ledger.owner, { ...event, ...(sealed !== undefined && { sealed }) });
}
