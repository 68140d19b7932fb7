import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Identifier, SqlText } from "@pro-talent/platform/postgres/statement";

import type { Column, ReadModel } from "./read-model.ts";

/** Suffix of the table that a rebuild writes before it takes the live one's place. */
export const shadowSuffix = "__shadow";

const quoted = (name: string): string => new Identifier(name).text;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const inLedger = (name: string): string => quoted(`ledger.${name}`);

type NamedColumn = { name: string; sql: string; column: Column<unknown> };

function columnsOf({ key, columns }: ReadModel): NamedColumn[] {
  return Object.entries({ ...key, ...columns }).map(([name, column]) => ({
    name,
    sql: quoted(name),
    column,
  }));
}

/** Statements that make an empty table of a read model, under its name and a suffix. */
export function createTableSql(model: ReadModel, suffix = ""): string {
  const table = inLedger(model.table + suffix);
  const all = columnsOf(model);
  const keys = Object.keys(model.key).map(quoted).join(", ");
  const columns = all.map(
    ({ sql, column }) => `${sql} ${column.sqlType}${column.nullable ? "" : " not null"}`,
  );
  const indexes = (model.indexes ?? []).map(
    ({ on, unique }) => `create ${unique === true ? "unique " : ""}index on ${table} ${on};`,
  );
  const comments = all.map(
    ({ sql, column: { fieldClass, purpose } }) =>
      `comment on column ${table}.${sql} is ${literal(`${fieldClass}: ${purpose}`)};`,
  );
  return `
    create table ${table} (${columns.join(", ")}, pos bigint not null, primary key (${keys}));
    ${indexes.join("\n")}
    comment on table ${table} is ${literal(`${model.purpose}. Kept: ${model.retention}`)};
    ${comments.join("\n")}
    comment on column ${table}.pos is 'operational: Event that wrote the row';
    grant select on ${table} to ledger_app;
    ${writersSql(model, suffix)}`;
}

/**
 * Functions that write a table's rows (see ledger.write_rows). Types are spelled out and no row type
 * is used: a statement on a row type would not be planned anew after a rebuild replaced the table.
 */
export function writersSql(model: ReadModel, suffix = ""): string {
  const table = inLedger(model.table + suffix);
  const all = columnsOf(model);
  const names = all.map(({ sql }) => sql);
  const keys = Object.keys(model.key).map(quoted);
  const typed = (of: readonly NamedColumn[]): string =>
    of.map(({ sql, column }) => `${sql} ${column.sqlType}`).join(", ");
  const keyColumns = all.filter(({ sql }) => keys.includes(sql));
  const updates = [...names.filter((name) => !keys.includes(name)), "pos"];
  const upsert = inLedger(`upsert_${model.table}${suffix}`);
  const remove = inLedger(`delete_${model.table}${suffix}`);
  return `
    create or replace function ${upsert}(jsonb, bigint) returns void language plpgsql as $$ begin
      insert into ${table} (${names.join(", ")}, pos)
        select ${names.map((name) => `r.${name}`).join(", ")}, r.pos + $2
          from jsonb_to_recordset($1) as r(${typed(all)}, pos bigint)
        on conflict (${keys.join(", ")}) do update
          set ${updates.map((name) => `${name} = excluded.${name}`).join(", ")};
    end $$;
    create or replace function ${remove}(jsonb) returns void language plpgsql as $$
    declare r record;
    begin
      -- Key by key: each is found by the primary key, however many rows the planner expects.
      for r in select * from jsonb_to_recordset($1) as k(${typed(keyColumns)}) loop
        delete from ${table} t where ${keys.map((name) => `t.${name} = r.${name}`).join(" and ")};
      end loop;
    end $$;
    revoke all on function ${upsert}, ${remove} from public;`;
}

/**
 * Drops a table of a read model, with its functions and, if it is the live one, its views, also those
 * that an earlier definition had.
 */
export function dropTableSql(model: Pick<ReadModel, "table" | "views">, suffix = ""): string {
  const views = suffix === "" ? (model.views ?? []) : [];
  // Views before their table, as readers lock them: in another order two could wait for each other.
  return `
    ${views.map(({ name }) => `drop view if exists ${inLedger(name)};`).join("\n")}
    drop table if exists ${inLedger(model.table + suffix)}${suffix === "" ? " cascade" : ""};
    drop function if exists ${inLedger(`upsert_${model.table}${suffix}`)}(jsonb, bigint);
    drop function if exists ${inLedger(`delete_${model.table}${suffix}`)}(jsonb);`;
}

/** Puts the shadow table in the place of the live one, with functions and views as they are defined. */
export function swapTablesSql(model: ReadModel): string {
  const views = (model.views ?? []).map(
    ({ name, select, readers }) => `
      create view ${inLedger(name)} with (security_barrier = true) as ${select};
      grant select on ${inLedger(name)} to ${["ledger_app", ...readers].join(", ")};`,
  );
  const shadow = model.table + shadowSuffix;
  return `
    ${dropTableSql(model)}
    alter table ${inLedger(shadow)} rename to ${quoted(model.table)};
    drop function ${inLedger(`upsert_${shadow}`)}(jsonb, bigint);
    drop function ${inLedger(`delete_${shadow}`)}(jsonb);
    ${writersSql(model)}
    ${views.join("\n")}`;
}

export type TableDigest = { readonly rows: number; readonly digest: string };

/** Rows and digest of a read model's table, in the order of its key: equal tables, equal digests. */
export async function digestTable(
  tx: Queryable,
  model: ReadModel,
  suffix = "",
): Promise<TableDigest> {
  const columns = [...columnsOf(model).map(({ sql }) => `t.${sql}`), "t.pos"].join(", ");
  const keys = Object.keys(model.key).map((name) => `t.${quoted(name)}`);
  await tx.unsafe("set local timezone = 'UTC'; set local datestyle = 'ISO'");
  const [row] = await tx<{ rows: number; digest: string }[]>`
    select count(*) as rows, encode(sha256(coalesce(string_agg(
             sha256(convert_to(row(${new SqlText(columns)})::text, 'UTF8')), ''::bytea
             order by ${new SqlText(keys.join(", "))}), ''::bytea)), 'hex') as digest
      from ${new Identifier(`ledger.${model.table}${suffix}`)} t`;
  if (row === undefined) throw new Error(`No digest of ${model.table}`);
  return row;
}

/** Loads the rows of a batch of keys, or whole streams, out of a read model's table. */
export async function selectRows(
  sql: Queryable,
  model: ReadModel,
  wanted: { readonly keys: readonly object[]; readonly streams: readonly string[] },
  suffix = "",
): Promise<readonly unknown[]> {
  const keyColumns = columnsOf(model).filter(({ name }) => name in model.key);
  const [first] = keyColumns;
  if (first === undefined || wanted.keys.length + wanted.streams.length === 0) return [];
  const text = (parts: readonly string[]): SqlText => new SqlText(parts.join(", "));
  const names = keyColumns.map(({ sql: name }) => name);
  const rows = await sql<{ row: unknown }[]>`
    select to_jsonb(t) as row from ${new Identifier(`ledger.${model.table}${suffix}`)} t
     where (${text(names.map((name) => `t.${name}`))}) in (
       select ${text(names)} from jsonb_to_recordset(${JSON.stringify(wanted.keys)}::text::jsonb)
           as k(${text(keyColumns.map(({ sql: name, column }) => `${name} ${column.sqlType}`))}))
        or t.${text([first.sql])} = any (${wanted.streams}::text[]::${text([`${first.column.sqlType}[]`])})`;
  return rows.map(({ row }) => row);
}
