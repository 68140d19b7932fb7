import { randomUUID } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { readModels as productModels } from "../modules.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { runCommand } from "./commands.ts";
import { catchUp, followerOf } from "./follow.ts";
import type { ReadModel } from "./read-model.ts";
import { rebuildReadModel, synchroniseReadModels } from "./rebuild.ts";
import { type BookEvent, bookLists, books } from "./testing/books.ts";

let ledger: TestLedger;
/** Lists of one test alone. */
let [dan, noa] = ["", ""];

beforeAll(async () => {
  ledger = await createTestLedger();
});
beforeEach(() => {
  [dan, noa] = [`dan-${randomUUID()}`, `noa-${randomUUID()}`];
});
/** The next test's read model is a new one. */
afterEach(() => synchronise());
afterAll(() => ledger.drop());

/** As a migration of a version with these models beside those of the product. */
const synchronise = (...models: ReadModel[]) =>
  synchroniseReadModels(ledger.owner, [...productModels, ...models]);

async function record(models: readonly ReadModel[], list: string, ...events: BookEvent[]) {
  for (const event of events) {
    const result = await runCommand({ sql: ledger.sql, readModels: models }, bookLists, {
      id: list,
      command: { type: "Record", event },
      body: randomUUID(),
      now: instantFromMs(Date.UTC(2026, 0, 5)),
      cause: testCause(),
    });
    expect(result).toMatchObject({ how: "recorded" });
  }
}

const added = (book: string, tags: string[] = []): BookEvent => ({
  type: "BookAdded",
  data: { book, tags },
});
const finished = (book: string): BookEvent => ({ type: "BookFinished", data: { book } });
const removed = (book: string): BookEvent => ({ type: "BookRemoved", data: { book } });
const erased: BookEvent = { type: "ListErased", data: {} };

const rows = () => ledger.sql`
  select list_id, book, tags, finished, note from ledger.book
   where list_id = any (${[dan, noa]}) order by list_id, book`;
const row = (list: string, book: string, change: object = {}) => ({
  list_id: list,
  book,
  tags: [],
  finished: { times: 0 },
  note: null,
  ...change,
});

/** Everything of the database that belongs to the read model. */
async function traces(): Promise<string[]> {
  const found = await ledger.owner<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'ledger'::regnamespace and relkind in ('r', 'v') and relname ~ '^book'
    union all select proname from pg_proc
     where pronamespace = 'ledger'::regnamespace and proname ~ '_book'
    union all select 'model ' || name from ledger.read_model where name = 'book'
    union all select 'checkpoint ' || follower from ledger.checkpoint where follower = 'book'
    order by 1`;
  return found.map(({ name }) => name);
}

const lists = { name: "book_list", readers: [], select: "select list_id from ledger.book" };

describe("a read model's definition", () => {
  it("that is new gets a table, built from the events before it; repeating changes nothing", async () => {
    await record([], noa, added("emma", ["novel"]), finished("emma"), added("ulysses"));
    await record([], dan, added("emma"), removed("emma"));
    expect(await synchronise(books())).toEqual(["book"]);
    expect(await rows()).toEqual([
      row(noa, "emma", { tags: ["novel"], finished: { times: 1 } }),
      row(noa, "ulysses"),
    ]);
    expect(await synchronise(books())).toEqual([]);
    expect(await traces()).toEqual(["book", "delete_book", "model book", "upsert_book"]);
  });

  it("that changed is built anew, and written by its new rules from then on", async () => {
    await synchronise(books());
    await record([books()], noa, added("emma"));
    const next = books({ version: 2, note: "to read" });
    expect(await synchronise(next)).toEqual(["book"]);
    expect(await rows()).toEqual([row(noa, "emma", { note: "to read" })]);
    await record([next], noa, added("ulysses"));
    expect(await rows()).toEqual([
      row(noa, "emma", { note: "to read" }),
      row(noa, "ulysses", { note: "to read" }),
    ]);
  });

  it("may gain a view and lose it again", async () => {
    await synchronise(books({ views: [lists] }));
    expect(await traces()).toContain("book_list");
    expect(await synchronise(books())).toEqual(["book"]);
    expect(await traces()).toEqual(["book", "delete_book", "model book", "upsert_book"]);
  });

  it("may change between inline and following; only a following one has a checkpoint", async () => {
    await synchronise(books());
    await record([books()], noa, added("emma"));
    const following = books({ mode: "following" });
    expect(await synchronise(following)).toEqual(["book"]);
    expect(await traces()).toContain("checkpoint book");
    await record([following], noa, finished("emma"));
    expect(await rows()).toEqual([row(noa, "emma")]);
    await catchUp(followerOf(ledger.sql, following));
    expect(await rows()).toEqual([row(noa, "emma", { finished: { times: 1 } })]);
    expect(await synchronise(books())).toEqual(["book"]);
    expect(await traces()).not.toContain("checkpoint book");
    await record([books()], noa, finished("emma"));
    expect(await rows()).toEqual([row(noa, "emma", { finished: { times: 2 } })]);
  });

  it.each(["inline", "following"] as const)(
    "that is gone leaves nothing behind: %s",
    async (mode) => {
      await synchronise(books({ mode, views: [lists] }));
      expect(await traces()).toContain("book_list");
      expect(await synchronise()).toEqual(["book"]);
      expect(await traces()).toEqual([]);
      expect(await synchronise()).toEqual([]);
    },
  );
});

/** Texts that arrays, JSON and SQL quote. */
const awkward = ['"quoted"', "{a,b}", "it's \\ here", "שלום", "", "null", " a\nb "];

describe.each(["inline", "following"] as const)("the rows of a read model: %s", (mode) => {
  const model = books({ mode });
  const settle = async (): Promise<void> => {
    if (mode === "following") await catchUp(followerOf(ledger.sql, model));
  };

  it("keep lists of texts and nested values, also when later events change the row", async () => {
    await synchronise(model);
    await record([model], noa, added("emma", awkward), added(awkward[2] ?? ""));
    await settle();
    // Read back from the table, or folded from the stream again.
    await record([model], noa, finished("emma"), finished("emma"));
    await settle();
    expect(await rows()).toEqual([
      row(noa, "emma", { tags: awkward, finished: { times: 2 } }),
      row(noa, awkward[2] ?? ""),
    ]);
  });

  it("are deleted one by one, and all rows of one stream at once", async () => {
    await synchronise(model);
    await record([model], dan, added("emma"));
    await record([model], noa, added("emma"), added("persuasion"), added("ulysses"));
    await settle();
    await record([model], noa, removed("ulysses"), finished("ulysses"));
    await settle();
    expect(await rows()).toEqual([row(dan, "emma"), row(noa, "emma"), row(noa, "persuasion")]);
    await record([model], noa, erased);
    await settle();
    expect(await rows()).toEqual([row(dan, "emma")]);
  });

  it("are the same when they are rebuilt", async () => {
    await synchronise(model);
    await record([model], noa, added("emma", awkward), finished("emma"), added("ulysses"));
    await record([model], dan, added("emma"), erased);
    await settle();
    const before = await rows();
    const result = await rebuildReadModel(ledger.owner, model, { accept: false });
    expect(result).toMatchObject({ equal: true });
    expect(before).toHaveLength(2);
    expect(await rows()).toEqual(before);
  });
});
