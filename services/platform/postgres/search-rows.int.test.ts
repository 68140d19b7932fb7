import { randomUUID } from "node:crypto";

import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { spellingsOf } from "../search/spellings.ts";
import { createTestPostgres, type TestPostgres } from "../testing/engines.ts";
import { openPool, type Sql } from "./pool.ts";
import { plantedIn, type SearchedSchema, searchRows } from "./search-rows.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await createTestPostgres();
  sql = openPool(database.ownerUrl, { max: 2, applicationName: "test-search" });
  await sql.unsafe(`
    create schema shop;
    create table shop.search_decoy (decoy_id uuid primary key, words text, document jsonb, bytes bytea,
      planted_at timestamptz not null default clock_timestamp());
    create table shop.note (note_id uuid primary key, words text, document jsonb, bytes bytea, list text[]);
    create table shop.record (record_id uuid primary key, account_id uuid, data text)`);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql.unsafe("truncate shop.note, shop.record");
});

const shop = (changed: Partial<SearchedSchema> = {}): SearchedSchema => ({
  schema: "shop",
  keepsIds: new Set(["shop.record"]),
  plant: plantedIn(sql, "shop"),
  ...changed,
});
const search = async (traces: Partial<Traces>, schema = shop()) => {
  const [found] = await searchRows(sql, schema, [{ values: [], ids: [], ...traces }]);
  return found;
};

const email = "Dana.Levi+jobs@Example.com";
const name = "דנה לוי־כהן";

describe("the search for what was erased in a schema", () => {
  it.each([email, name])(
    "finds %s in every spelling, in text, JSON, bytes and lists",
    async (value) => {
      for (const spelling of spellingsOf(value)) {
        await sql`truncate shop.note`;
        const [inText, inJson, inBytes, inList] = [1, 2, 3, 4].map(() => randomUUID());
        await sql`insert into shop.note (note_id, words) values (${inText ?? ""}, ${`to ${spelling}, today`})`;
        await sql`insert into shop.note (note_id, document)
        values (${inJson ?? ""}, ${JSON.stringify({ deep: [spelling] })}::text::jsonb)`;
        await sql`insert into shop.note (note_id, bytes) values (${inBytes ?? ""}, ${Buffer.from(spelling)})`;
        await sql`insert into shop.note (note_id, list) values (${inList ?? ""}, array['x', ${spelling}::text])`;
        const found = await search({ values: [value] });
        // A quote or a backslash is escaped once more within JSON.
        const hits = /["\\]/u.test(spelling) ? 3 : 4;
        expect([spelling, found?.hits, found?.decoy]).toEqual([spelling, hits, true]);
      }
    },
  );

  it("finds an id as UUID, as text and within JSON, and counts apart where it may stay", async () => {
    const account = randomUUID();
    await sql`insert into shop.note (note_id, words) values (${account}, 'x')`;
    await sql`insert into shop.note (note_id, document)
      values (${randomUUID()}, ${JSON.stringify({ of: account })}::text::jsonb)`;
    await sql`insert into shop.record values (${randomUUID()}, ${account}, '{}')`;
    await sql`insert into shop.record values (${randomUUID()}, ${randomUUID()}, '{}')`;
    expect(await search({ ids: [account] })).toMatchObject({ hits: 2, kept: 1, decoy: true });
  });

  it("finds a word also where ids may stay", async () => {
    await sql`insert into shop.record values (${randomUUID()}, ${randomUUID()}, ${JSON.stringify({ email })})`;
    expect(await search({ values: [email] })).toMatchObject({ hits: 1, kept: 0 });
  });

  it("finds nothing of a person without data, reads every row, and leaves no decoy", async () => {
    await sql`insert into shop.note (note_id, words) values (${randomUUID()}, 'someone.else@example.com')`;
    const found = await search({ values: [email, name], ids: [randomUUID()] });
    // With the row that was planted.
    expect(found).toEqual({ hits: 0, kept: 0, decoy: true, searched: 2 });
    expect(await sql`select from shop.search_decoy`).toHaveLength(0);
  });

  it("answers several searches in one pass, each for itself", async () => {
    await sql`insert into shop.note (note_id, words) values (${randomUUID()}, ${email})`;
    const found = await searchRows(sql, shop(), [
      { values: [email], ids: [] },
      { values: ["other@example.com"], ids: [] },
    ]);
    expect(found.map(({ hits }) => hits)).toEqual([1, 0]);
  });

  it("is unknown where the planted value is not found", async () => {
    const plant = async () => async () => undefined;
    expect(await search({ values: [email] }, shop({ plant }))).toMatchObject({ decoy: false });
  });

  it("does not pass over a table that it may not read", async () => {
    const { username } = new URL(database.ownerUrl);
    expect(username).not.toBe("");
    await sql.unsafe("create table shop.closed (words text)");
    const role = `reader_${randomUUID().slice(0, 8)}`;
    await sql.unsafe(`create role ${role} login password 'test-only-role-password';
      grant usage on schema shop to ${role};
      grant select on shop.note, shop.record to ${role};
      grant select, insert, delete on shop.search_decoy to ${role}`);
    const url = new URL(database.ownerUrl);
    [url.username, url.password] = [role, "test-only-role-password"];
    const reader = openPool(url.href, { max: 2, applicationName: "test-search-reader" });
    const searching = searchRows(reader, shop({ plant: plantedIn(reader, "shop") }), [
      { values: [email], ids: [] },
    ]);
    await expect(searching).rejects.toThrow("shop.closed");
    await reader.end();
    await sql.unsafe(`drop table shop.closed; drop owned by ${role}; drop role ${role}`);
  });
});
