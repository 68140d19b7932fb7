import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import type { Sql } from "@pro-talent/platform/postgres/pool";

import { textSearch } from "../address-scan.ts";
import { unpacked } from "./stored-forms.ts";
import { storedSpellings } from "./words.ts";

/** Words that were found, each with the places that hold it. */
export type FoundWords = Map<string, Set<string>>;

/** Searches for words in every form in which they may be stored. */
export class WordSearch {
  readonly #search: (data: Buffer) => Set<string>;
  readonly #wordOf = new Map<string, string>();
  readonly found: FoundWords = new Map();
  bytes = 0;

  constructor(words: Iterable<string>) {
    for (const word of words)
      for (const spelling of storedSpellings(word)) this.#wordOf.set(spelling, word);
    this.#search = textSearch([...this.#wordOf.keys()]);
  }

  /** @param place under which what is found is listed */
  add(place: string, data: Buffer): void {
    this.bytes += data.length;
    for (const spelling of this.#search(data)) {
      const word = this.#wordOf.get(spelling) ?? spelling;
      this.found.set(word, (this.found.get(word) ?? new Set<string>()).add(place));
    }
  }
}

/** Every file below the directory; its place are the first two parts of its path. */
export async function searchFiles(search: WordSearch, directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // A running server removes files.
    const data = await readFile(path).catch(() => Buffer.alloc(0));
    const place = relative(directory, path).split("/").slice(0, 2).join("/");
    const named = place.endsWith(".eml") ? "mail" : place;
    const b = search.bytes;
    void b;
    for (const form of unpacked(entry.name, data)) search.add(named, form);
  }
}

/** Every row of every table of Postgres, the queue's too. @param sql as the superuser */
export async function searchPostgres(search: WordSearch, sql: Sql): Promise<void> {
  for (const table of await tablesOf(sql)) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(table)} t`;
    for (const { row } of rows) search.add(`rows of ${table}`, Buffer.from(row));
  }
}

/** All tables of the product's database, as `schema.table`. */
export async function tablesOf(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
     order by 1`;
  return tables.map(({ name }) => name);
}

/** Every row of every table of ClickHouse with what the engine records of itself. */
export async function searchClickhouse(
  search: WordSearch,
  clickhouse: ClickHouseClient,
): Promise<void> {
  const result = await clickhouse.query({
    query: `SELECT concat('\`', database, '\`.\`', name, '\`') AS name FROM system.tables
            WHERE engine LIKE '%MergeTree' OR (database = 'system' AND (name LIKE '%_log' OR name = 'mutations'))`,
    format: "JSONEachRow",
  });
  for (const { name } of await result.json<{ name: string }>()) {
    const rows = await clickhouse.query({ query: `SELECT * FROM ${name}`, format: "JSONEachRow" });
    search.add(`rows of ${name}`, Buffer.from(await rows.text()));
  }
}
