import { randomUUID } from "node:crypto";

import type { Traces } from "@pro-talent/schemas/primitives/traces";

import { type Found, newDecoy, tallyOf } from "../search/search-request.ts";
import type { Sql, Transaction } from "./pool.ts";

export type SearchedSchema = {
  readonly schema: string;
  /** Tables that may keep ids, as `schema.table`, for reasons that the data map names. */
  readonly keepsIds: ReadonlySet<string>;
  /** Plants values in the schema, through a path by which rows reach it. @returns what removes them */
  readonly plant: (decoys: readonly string[]) => Promise<() => Promise<void>>;
};

/** Some 160 MB: a statement that copies so much ends long before it is given up on. */
const blocksPerCopy = 20_000;

type Table = { readonly name: string; readonly readable: boolean; readonly blocks: number };

/**
 * Searches every column of every row of a schema, in one pass for all searches. The server copies the
 * rows out and this process compares them, so that no statement holds what is searched for.
 * @throws Error when a table cannot be read; PostgresUnavailable
 */
export async function searchRows(
  sql: Sql,
  { schema, keepsIds, plant }: SearchedSchema,
  searches: readonly Traces[],
): Promise<Found[]> {
  const decoys = forms.map(newDecoy);
  const remove = await plant(decoys);
  try {
    const tally = tallyOf(searches, decoys);
    await sql.begin("isolation level repeatable read, read only", async (tx) => {
      for (const table of await tablesOf(tx, schema)) {
        const where = { keepsIds: keepsIds.has(table.name) };
        await readRows(tx, table, (row) => tally.add(row, where));
      }
    });
    return tally.found();
  } finally {
    await remove();
  }
}

async function tablesOf(tx: Transaction, schema: string): Promise<Table[]> {
  const tables = await tx<Table[]>`
    select n.nspname || '.' || c.relname as name, has_table_privilege(c.oid, 'select') as readable,
           (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = ${schema} and c.relkind in ('r', 'm') order by c.relname`;
  const closed = tables.find(({ readable }) => !readable);
  if (tables.length === 0 || closed !== undefined)
    throw new Error(`The rows of ${closed?.name ?? schema} cannot be read`);
  return tables;
}

/** Copies a table out, piece by piece; in the binary format texts and bytes are as they are. */
async function readRows(
  tx: Transaction,
  { name, blocks }: Table,
  onRow: (row: Buffer) => void,
): Promise<void> {
  const [schema = "", table = ""] = name.split(".");
  const from = `${quoted(schema)}.${quoted(table)}`;
  for (let block = 0; block === 0 || block < blocks; block += blocksPerCopy) {
    const isLast = block + blocksPerCopy >= blocks;
    const end = isLast ? "" : ` and ctid < '(${block + blocksPerCopy},0)'`;
    await tx.copyOut(
      `copy (select * from ${from} where ctid >= '(${block},0)'${end}) to stdout (format binary)`,
      (bytes) => {
        if (bytes.length > frameBytes) onRow(bytes);
      },
    );
  }
}

/** Header and trailer of a copy, which are a message of their own when there is no row. */
const frameBytes = 21;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The ways in which a value is planted. */
const forms = ["words", "document", "bytes"] as const;

/**
 * Plants values in the table `search_decoy` of a schema: within text, JSON and bytes. What a process
 * left there that ended in between is removed after an hour.
 */
export function plantedIn(sql: Sql, schema: string): SearchedSchema["plant"] {
  const table = sql(`${schema}.search_decoy`);
  return async ([words = "", document = "", bytes = ""]) => {
    const id = randomUUID();
    await sql`delete from ${table} where planted_at < clock_timestamp() - interval '1 hour'`;
    await sql`
      insert into ${table} (decoy_id, words, document, bytes)
      values (${id}, ${encodeURIComponent(words)}, ${JSON.stringify({ document })}::text::jsonb,
              ${Buffer.from(bytes)})`;
    return async () => {
      await sql`delete from ${table} where decoy_id = ${id}`;
    };
  };
}
