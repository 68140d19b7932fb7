import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { column, inlineChanges, readModel, Rows } from "./read-model.ts";
import { type BookEvent, bookEvents, books } from "./testing/books.ts";
import type { StreamEvent } from "./types.ts";

const at = (event: BookEvent, id = "noa"): StreamEvent<BookEvent> => ({
  event,
  id,
  stream: bookEvents.streamOf(id),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixed instant in its canonical form
  occurredAt: "2026-01-05T00:00:00.000Z" as StreamEvent<BookEvent>["occurredAt"],
});
const added = (book: string, tags: string[] = []) =>
  at({ type: "BookAdded", data: { book, tags } });
const finished = (book: string) => at({ type: "BookFinished", data: { book } });
const removed = (book: string) => at({ type: "BookRemoved", data: { book } });
const erased = at({ type: "ListErased", data: {} });

/** The changes that events lead to after others. */
function changesAfter(before: StreamEvent<BookEvent>[], events: StreamEvent<BookEvent>[]) {
  const held = inlineChanges([books()], {}, before).flatMap(({ upsert = [] }) => upsert);
  return inlineChanges([books()], { book: held }, events);
}

describe("a row of a read model", () => {
  it("follows from the row before and the event, with lists and nested values", () => {
    const before = [added("emma", ["novel", "1815"]), finished("emma")];
    expect(changesAfter(before, [finished("emma")])).toEqual([
      {
        table: "book",
        upsert: [
          {
            list_id: "noa",
            book: "emma",
            tags: ["novel", "1815"],
            finished: { times: 2 },
            note: null,
            pos: 0,
          },
        ],
      },
    ]);
  });

  it("is deleted by an event that leaves nothing, and every row of the stream by another", () => {
    const before = [added("emma"), added("ulysses")];
    const keyOf = (book: string) => ({ list_id: "noa", book });
    expect(changesAfter(before, [removed("emma")])).toEqual([
      { table: "book", delete: [keyOf("emma")] },
    ]);
    expect(changesAfter(before, [erased])).toEqual([
      { table: "book", delete: [keyOf("emma"), keyOf("ulysses")] },
    ]);
  });

  it("keeps the position of the event that changed it last", () => {
    const again = [added("emma", ["novel"]), added("emma", ["novel"])];
    expect(changesAfter(again, again)).toEqual([]);
    const [change] = changesAfter([], again);
    expect(change?.upsert).toMatchObject([{ book: "emma", pos: 0 }]);
  });

  it("that does not exist is neither changed nor deleted", () => {
    expect(changesAfter([], [finished("emma")])).toEqual([]);
    expect(changesAfter([added("emma")], [removed("ulysses"), erased])).toHaveLength(1);
  });
});

/** Of the book that a row is about. */
const nameOf = (row: Readonly<Record<string, unknown>>) => z.string().parse(row["book"]);

const anyEvent = fc.oneof(
  fc.constantFrom("a", "b", "c").map((book) => added(book)),
  fc.constantFrom("a", "b", "c").map(finished),
  fc.constantFrom("a", "b", "c").map(removed),
  fc.constant(erased),
);

describe("any history", () => {
  it("leads to the same rows in one append as event by event", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), fc.nat(20), (history, cut) => {
        const rows = new Map<string, unknown>();
        const write = (before: StreamEvent<BookEvent>[], events: StreamEvent<BookEvent>[]) => {
          for (const change of changesAfter(before, events)) {
            for (const { pos: _, ...row } of change.upsert ?? []) rows.set(nameOf(row), row);
            for (const key of change.delete ?? []) rows.delete(nameOf(key));
          }
          return new Map(rows);
        };
        const atOnce = write(history.slice(0, cut), history.slice(cut));
        rows.clear();
        for (const index of history.keys())
          write(history.slice(0, index), [history[index] ?? erased]);
        const whole = new Map(rows);
        for (const [book, row] of atOnce) expect(whole.get(book)).toEqual(row);
      }),
    );
  });

  it("touches every key at most once", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (history) => {
        for (const change of changesAfter([], history)) {
          const keys = [...(change.upsert ?? []), ...(change.delete ?? [])].map(
            (row) => row["book"],
          );
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });
});

describe("a definition", () => {
  it("has another hash when its version, a column, its class or an index differs", () => {
    expect(books().definitionHash).toBe(books().definitionHash);
    expect(books({ version: 2 }).definitionHash).not.toBe(books().definitionHash);
  });

  it("with a compound key must name the row that an event is about", () => {
    const { text } = column;
    const key = { a: text("content", "A"), b: text("content", "B") };
    const common = { version: 1, mode: "inline", purpose: "P", retention: "R" } as const;
    expect(() =>
      readModel({
        ...common,
        table: "pairs",
        events: bookEvents,
        key,
        columns: {},
        evolve: () => null,
      }),
    ).toThrow("needs keyOf");
  });

  it("of an inline model refuses rows of another stream", () => {
    const { text } = column;
    const wrong = readModel({
      table: "wrong",
      version: 1,
      mode: "inline",
      purpose: "P",
      retention: "R",
      events: bookEvents,
      key: { list_id: text("content", "A") },
      columns: {},
      keyOf: () => ({ list_id: "dan" }),
      evolve: () => ({}),
    });
    expect(() => wrong.apply(new Rows(), added("emma"), 0)).toThrow("belongs to another stream");
  });
});
