import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import type { Sql } from "@pro-talent/platform/postgres/pool";

import { tablesOf } from "./stores.ts";

/** Everything that is stored with one of some ids, by where it is. */
export type Dump = ReadonlyMap<string, string>;

/**
 * All rows of Postgres and ClickHouse that name one of the ids, the files and the caught mails of a person.
 * When files of CVs are next looked at moves on with the clock, and is left out.
 * @param ids of the person's account and of everything that belongs to it
 */
export async function dumpOf(
  stores: { readonly sql: Sql; readonly clickhouse: ClickHouseClient; readonly dataDir: string },
  person: { readonly ids: readonly string[]; readonly email: string },
): Promise<Dump> {
  const { sql, clickhouse, dataDir } = stores;
  const dump = new Map<string, string>();
  for (const table of await tablesOf(sql)) {
    const rows = await sql<{ row: string }[]>`
      select (to_jsonb(t) - 'files_due_at')::text as row from ${sql(table)} t
       where t::text ~ ${person.ids.join("|")} order by 1`;
    if (rows.length > 0) dump.set(table, rows.map(({ row }) => row).join("\n"));
  }
  const tables = {
    events: "visitor_id",
    sessions_agg: "visitor_id",
    sessions_by_day: "visitor_id",
    page_views_by_day: "visitor_id",
    link_opens: "account_id",
    link_reports: "account_id",
  };
  for (const [table, column] of Object.entries(tables)) {
    const result = await clickhouse.query({
      query: `SELECT * FROM pro_talent.${table} WHERE toString(${column}) IN {ids:Array(String)} ORDER BY ALL`,
      query_params: { ids: person.ids },
      format: "JSONEachRow",
    });
    dump.set(`clickhouse ${table}`, await result.text());
  }
  const mails = await filesWith(join(dataDir, "mail"), (data) => data.includes(person.email));
  for (const [name, digest] of mails) dump.set(`mail ${name}`, digest);
  const ofPerson = [...dump.values()].join("\n");
  const files = await filesWith(join(dataDir, "files"), (_data, name) => ofPerson.includes(name));
  for (const [name, digest] of files) dump.set(`file ${name}`, digest);
  return dump;
}

async function filesWith(
  directory: string,
  belongs: (data: Buffer, name: string) => boolean,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const data = await readFile(join(entry.parentPath, entry.name));
    if (belongs(data, entry.name))
      found.set(entry.name, createHash("sha256").update(data).digest("hex"));
  }
  return found;
}

/** Places that differ between two dumps. */
export function differencesOf(one: Dump, other: Dump): string[] {
  const places = new Set([...one.keys(), ...other.keys()]);
  return [...places].filter((place) => one.get(place) !== other.get(place));
}
