import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { runCommand } from "./commands.ts";
import { loadStream, readSealed } from "./streams.ts";
import { newNote, noteCommand, noteDueAt, noteEvents, notes } from "./testing/notes.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

async function messagesOf(stream: string): Promise<unknown[]> {
  const rows = await ledger.sql<{ payload: unknown }[]>`
    select payload from ledger.outbox
     where name = 'note-changed' and payload ->> 'stream' = ${stream} order by id`;
  return rows.map((row) => row.payload);
}

const timersOf = (stream: string) => ledger.sql<{ name: string; due_at: Date; pos: number }[]>`
  select name, due_at, fired_at, pos from ledger.due_timer where stream = ${stream}`;

const carryOut = (request: ReturnType<typeof noteCommand>) =>
  runCommand(ledger.ledger, notes, request);

describe("what follows from a command", () => {
  it("is written with its events: messages and timers", async () => {
    const stream = newNote();
    expect(await carryOut(noteCommand(stream, "WriteNote"))).toMatchObject({ how: "recorded" });
    const { events } = await loadStream(ledger.sql, noteEvents, stream);
    expect(await messagesOf(stream)).toEqual([{ stream, type: "NoteWritten", written: 1 }]);
    expect(await timersOf(stream)).toEqual([
      {
        name: "close-note",
        due_at: new Date(noteDueAt(1)),
        fired_at: null,
        pos: events[0]?.position,
      },
    ]);
  });

  it("is not written again when the command is repeated", async () => {
    const request = noteCommand(newNote(), "WriteNote");
    await carryOut(request);
    expect(await carryOut(request)).toMatchObject({ how: "replayed" });
    expect(await messagesOf(noteEvents.streamOf(request.id))).toHaveLength(1);
  });

  it("is not written when the command is refused, or leads to nothing", async () => {
    const stream = newNote();
    await carryOut(noteCommand(stream, "LookAtNote"));
    expect(await messagesOf(stream)).toEqual([]);
    expect(await timersOf(stream)).toEqual([]);
    await carryOut(noteCommand(stream, "CloseNote"));
    expect(await carryOut(noteCommand(stream, "WriteNote"))).toMatchObject({
      code: "note_closed",
    });
    expect(await messagesOf(stream)).toHaveLength(1);
    expect(await timersOf(stream)).toEqual([]);
  });

  it("is written once for each of many commands at once, from what each one found", async () => {
    const stream = newNote();
    await Promise.all(Array.from({ length: 8 }, () => carryOut(noteCommand(stream, "WriteNote"))));
    const { version } = await loadStream(ledger.sql, noteEvents, stream);
    expect(await messagesOf(stream)).toEqual(
      Array.from({ length: version }, (_, index) => ({
        stream,
        type: "NoteWritten",
        written: index + 1,
      })),
    );
    expect(await timersOf(stream)).toHaveLength(1);
  });
});

describe("a timer", () => {
  it("is cancelled by a later command, and no other stream's is", async () => {
    const [stream, other] = [newNote(), newNote()];
    for (const note of [stream, other]) await carryOut(noteCommand(note, "WriteNote"));
    await carryOut(noteCommand(stream, "CloseNote"));
    expect(await timersOf(stream)).toEqual([]);
    expect(await timersOf(other)).toHaveLength(1);
  });

  it("that fired is due again when it moves", async () => {
    const stream = newNote();
    await carryOut(noteCommand(stream, "WriteNote"));
    await ledger.owner`update ledger.due_timer set fired_at = now() where stream = ${stream}`;
    await carryOut(noteCommand(stream, "WriteNote"));
    expect(await timersOf(stream)).toMatchObject([
      { due_at: new Date(noteDueAt(2)), fired_at: null },
    ]);
  });

  it("that fired has fired, as long as the state demands it for the same time", async () => {
    const stream = newNote();
    await carryOut(noteCommand(stream, "WriteNote"));
    await ledger.owner`update ledger.due_timer set fired_at = now() where stream = ${stream}`;
    await carryOut(noteCommand(stream, "StarNote"));
    expect(await timersOf(stream)).toMatchObject([
      { due_at: new Date(noteDueAt(1)), fired_at: expect.any(Date), pos: expect.any(Number) },
    ]);
  });
});

describe("a sealed part", () => {
  const sealed = () => ({ keyId: randomUUID(), bytes: Buffer.from(`sealed ${randomUUID()}`) });

  it("belongs to the events of its type only, and the newest one is read", async () => {
    const stream = newNote();
    const [first, second] = [sealed(), sealed()];
    await carryOut(noteCommand(stream, "WriteNote", first));
    expect(await readSealed(ledger.sql, stream, "NoteWritten")).toEqual(first);
    await carryOut(noteCommand(stream, "WriteNote", second));
    await carryOut(noteCommand(stream, "WriteNote"));
    await carryOut(noteCommand(stream, "CloseNote", sealed()));
    expect(await readSealed(ledger.sql, stream, "NoteWritten")).toEqual(second);
    expect(await readSealed(ledger.sql, stream, "NoteClosed")).toBeUndefined();
    expect(await readSealed(ledger.sql, newNote(), "NoteWritten")).toBeUndefined();
  });

  it("stays the first one when the command is repeated, sealed anew", async () => {
    const first = sealed();
    const request = noteCommand(newNote(), "WriteNote", first);
    await carryOut(request);
    const again = { ...request, sealed: { ...sealed(), type: "NoteWritten" as const } };
    expect(await carryOut(again)).toMatchObject({ how: "replayed" });
    expect(await readSealed(ledger.sql, noteEvents.streamOf(request.id), "NoteWritten")).toEqual(
      first,
    );
  });
});

describe("however many timers there are", () => {
  it("one is set and cancelled by its key: the others are not read", async () => {
    const changes = (how: object) => JSON.stringify([{ table: "due_timer", ...how }]);
    const key = { stream: "note-7", name: "close-note" };
    const read = await ledger.owner.begin(async (tx) => {
      await tx`insert into ledger.due_timer (stream, name, due_at, pos)
        select 'note-' || n, 'close-note', now(), 1 from generate_series(1, 1000) n`;
      const upsert = changes({ upsert: [{ ...key, due_at: "2026-01-01T00:00:00Z", pos: 0 }] });
      await tx`select ledger.write_rows(${upsert}::text::jsonb, 1)`;
      await tx`select ledger.write_rows(${changes({ delete: [key] })}::text::jsonb, 1)`;
      const [row] = await tx<{ rows: number }[]>`
        select seq_tup_read as rows from pg_stat_xact_user_tables
         where schemaname = 'ledger' and relname = 'due_timer'`;
      const left = await tx`select from ledger.due_timer where stream = ${key.stream}`;
      return { rows: row?.rows, left: left.length };
    });
    expect(read).toEqual({ rows: 0, left: 0 });
  });
});
