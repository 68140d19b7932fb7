import { randomUUID } from "node:crypto";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { verifyLedger } from "../verifier/verify.ts";
import { runCommand } from "./commands.ts";
import { registerErasures, streamKind } from "./stream-kinds.ts";
import { readSealed } from "./streams.ts";
import type { Subject } from "./subjects.ts";
import { newNote, noteCommand, notes } from "./testing/notes.ts";

let ledger: TestLedger;
const Personal = z.object({ text: z.string() });

beforeAll(async () => {
  ledger = await createTestLedger();
  await registerErasures(ledger.owner, [streamKind(notes)]);
});
afterAll(() => ledger.drop());

const newSubject = (): Promise<Subject> =>
  ledger.subjects.ofOccasion("test.person", randomUUID(), `noa-${randomUUID()}@example.com`);

/** Writes a note with a text that only the subject's key opens. */
async function write(stream: string, subject: Subject, text: string): Promise<void> {
  const answer = await runCommand(
    ledger.ledger,
    notes,
    noteCommand(stream, "WriteNote", subject.seal({ text })),
  );
  expect(answer).toMatchObject({ how: "recorded" });
}

/** Records that a note is forgotten, and destroys the key. */
async function forget(stream: string, subject: Subject): Promise<void> {
  await runCommand(ledger.ledger, notes, noteCommand(stream, "ForgetNote"));
  await ledger.subjects.shred(subject.id);
}

/** The newest text of a stream, if its key still exists. */
async function read(stream: string): Promise<string | undefined> {
  const sealed = await readSealed(ledger.sql, stream, "NoteWritten");
  const subject = sealed && (await ledger.subjects.find(sealed.keyId));
  return sealed && subject?.open(sealed.bytes, Personal).text;
}

async function findings(): Promise<readonly unknown[]> {
  return (await verifyLedger(ledger.owner)).findings;
}

describe("a subject that is erased", () => {
  it("cannot be read any more, the others can, and the chain is whole", async () => {
    const [noa, dan] = [await newSubject(), await newSubject()];
    const [hers, his] = [newNote(), newNote()];
    await write(hers, noa, "first");
    await write(hers, noa, "שלום");
    await write(his, dan, "his own");
    expect(await read(hers)).toBe("שלום");
    await forget(hers, noa);
    expect(await read(hers)).toBeUndefined();
    expect(await read(his)).toBe("his own");
    expect(await ledger.subjects.find(noa.id)).toBeUndefined();
    expect(await ledger.owner`select from ledger.subject where subject_id = ${noa.id}`).toEqual([]);
    const left = await ledger.owner`
      select sealed, sealed_hash is null as bare from ledger.event where key_id = ${noa.id}`;
    expect(left).toEqual([
      { sealed: null, bare: false },
      { sealed: null, bare: false },
    ]);
    expect(await findings()).toEqual([]);
  });

  it("is erased again where it was written once more after that", async () => {
    const noa = await newSubject();
    const stream = newNote();
    await write(stream, noa, "first");
    await forget(stream, noa);
    await write(stream, noa, "too late");
    expect(await read(stream)).toBeUndefined();
    await ledger.subjects.shred(noa.id);
    expect(await readSealed(ledger.sql, stream, "NoteWritten")).toBeUndefined();
  });

  it("is not erased before that is a fact of every stream with sealed data of it", async () => {
    const noa = await newSubject();
    const [first, second] = [newNote(), newNote()];
    const denied = { code: "42501" };
    await expect(ledger.subjects.shred(noa.id)).rejects.toMatchObject(denied);
    for (const stream of [first, second]) await write(stream, noa, "kept");
    await expect(ledger.subjects.shred(noa.id)).rejects.toMatchObject(denied);
    await expect(forget(first, noa)).rejects.toMatchObject(denied);
    expect(await read(second)).toBe("kept");
    await forget(second, noa);
    expect(await read(second)).toBeUndefined();
    await ledger.subjects.shred(noa.id);
  });
});

describe("the role of the service", () => {
  it("forgets through the one function only", async () => {
    const noa = await newSubject();
    await write(newNote(), noa, "kept");
    const denied = { code: "42501" };
    for (const change of [
      "update ledger.event set sealed = null",
      "delete from ledger.subject",
      "update ledger.subject set kind = 'test.other'",
      "insert into ledger.subject select * from ledger.subject",
      "truncate ledger.subject",
      "set role ledger_shredder",
    ]) {
      await expect(ledger.sql.unsafe(change)).rejects.toMatchObject(denied);
    }
  });
});

describe("the role that destroys", () => {
  /** What it may do besides its function's own work. */
  const asShredder = (statement: string): Promise<unknown> =>
    ledger.owner.begin(async (tx) => {
      await tx`set local role ledger_shredder`;
      await tx.unsafe(statement);
    });

  it("may do what forgetting needs, and nothing else", async () => {
    const noa = await newSubject();
    await write(newNote(), noa, "kept");
    for (const statement of [
      "select data from ledger.event",
      "update ledger.event set data = '{}'",
      "update ledger.event set key_id = null",
      "delete from ledger.event",
      "select wrapped_key from ledger.subject",
      "update ledger.subject set wrapped_key = '\\x00'",
      "insert into ledger.subject select * from ledger.subject",
      "select from ledger.command",
      "select ledger.append('[]')",
      "create table ledger.mine (n int)",
      "create function ledger.mine() returns int language sql return 1",
    ]) {
      await expect(asShredder(statement)).rejects.toMatchObject({ code: "42501" });
    }
    const exchange = asShredder(
      "update ledger.event set sealed = '\\x01' where sealed is not null",
    );
    await expect(exchange).rejects.toMatchObject({ code: "42501" });
  });

  it("owns the functions that forget, and signs in nowhere", async () => {
    const owned = await ledger.owner`
      select p.proname, r.rolcanlogin from pg_roles r
        join pg_proc p on p.proowner = r.oid and p.pronamespace = 'ledger'::regnamespace
       where r.rolname = 'ledger_shredder' order by 1`;
    expect(owned).toEqual([
      { proname: "forget_orphans", rolcanlogin: false },
      { proname: "shred_subject", rolcanlogin: false },
    ]);
  });

  it("finds what it drops by an index, not by reading all events", async () => {
    const plan = await ledger.owner.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`explain update ledger.event set sealed = null
        where key_id = ${randomUUID()}::uuid and sealed is not null`;
    });
    expect(JSON.stringify(plan)).toContain("event_key_id_idx");
  });
});

/** Three people write, close and are forgotten, in any order; some write after that. */
const history = fc.array(
  fc.record({
    person: fc.integer({ min: 0, max: 2 }),
    act: fc.constantFrom("write", "write", "write", "forget"),
    text: fc.string({ unit: "grapheme", maxLength: 40 }),
  }),
  { maxLength: 12 },
);

describe("any history of writing and forgetting", () => {
  it("leaves a whole chain, and readable exactly what was not forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const people = await Promise.all([newSubject(), newSubject(), newSubject()]);
        const written = people.map((subject) => ({ subject, stream: newNote() }));
        const wanted = new Map<string, string>();
        const forgotten = new Set<string>();
        for (const { person, act, text } of steps) {
          const note = written[person];
          if (note === undefined) continue;
          if (act === "forget") {
            if (wanted.has(note.stream)) await forget(note.stream, note.subject);
            else await ledger.destroyKey(note.subject.id);
            forgotten.add(note.stream);
          } else {
            await write(note.stream, note.subject, text);
            wanted.set(note.stream, text);
          }
        }
        for (const { stream } of written) {
          expect(await read(stream)).toBe(forgotten.has(stream) ? undefined : wanted.get(stream));
        }
        expect(await findings()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
