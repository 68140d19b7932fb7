import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { clickhouseMigrations, migrateCollector } from "@pro-talent/collector/migrate";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { createTestClickhouse, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { migrateStudio } from "@pro-talent/studio/migrate";
import { z } from "zod";

const Text = z.string();
/** A column, the comment on it and the one on its table; empty where there is none. */
const Column = z.object({ table: Text, about: Text, field: Text, comment: Text });
export type Column = z.infer<typeof Column>;

const Pair = z.object({ from: Text, to: Text });
const Name = z.object({ name: Text });

export type StoredColumns = {
  readonly Postgres: readonly Column[];
  readonly ClickHouse: readonly Column[];
  readonly Queue: readonly Column[];
  /** What the declarations of erasers refer to. */
  readonly routines: ReadonlySet<string>;
  readonly erasureEvents: ReadonlySet<string>;
  /** Tables whose rows go with a row of another one, as `from to`. */
  readonly cascades: ReadonlySet<string>;
  /** Tables of ClickHouse with their statement, which holds the rule of their retention. */
  readonly statements: ReadonlyMap<string, string>;
};

/** Migrates an empty database of each kind and reads what it then consists of. */
export async function readStoredColumns(): Promise<StoredColumns> {
  const [database, clickhouse] = await Promise.all([
    createTestPostgres(),
    createTestClickhouse(clickhouseMigrations),
  ]);
  const { ownerUrl } = database;
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "test-data-assets" });
  try {
    await migrateLedger(ownerUrl, ownerUrl);
    await migrateAccounts(ownerUrl, ownerUrl);
    await migrateStudio(ownerUrl, ownerUrl);
    const { url: clickhouseUrl, database: name, client } = clickhouse;
    await migrateCollector({ ownerUrl, clickhouseUrl, database: name });
    const inPostgres = await postgresColumns(sql);
    // Views and tables with the engine Null keep nothing.
    const result = await client.query({
      query: `
        SELECT t.name AS "table", t.comment AS "about", c.name AS "field", c.comment AS "comment"
          FROM system.columns AS c
          JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
         WHERE c.database = {name:String} AND t.engine NOT IN ('View', 'MaterializedView', 'Null')
         ORDER BY 1, 3`,
      query_params: { name },
      format: "JSONEachRow",
    });
    const statements = await client.query({
      query: `SELECT name AS "from", create_table_query AS "to" FROM system.tables
               WHERE database = {name:String}`,
      query_params: { name },
      format: "JSONEachRow",
    });
    const isQueue = ({ table }: Column): boolean => table.startsWith("bullmq.");
    return {
      Postgres: inPostgres.filter((row) => !isQueue(row)),
      ClickHouse: z.array(Column).parse(await result.json()),
      Queue: inPostgres.filter(isQueue).map(queueColumn),
      ...(await handlersIn(sql)),
      statements: new Map(
        z
          .array(Pair)
          .parse(await statements.json())
          .map(({ from, to }) => [from, to]),
      ),
    };
  } finally {
    await sql.end();
    await Promise.all([database.drop(), clickhouse.drop()]);
  }
}

async function postgresColumns(sql: Sql): Promise<Column[]> {
  const rows = await sql`
    select n.nspname || '.' || c.relname as "table",
           coalesce(obj_description(c.oid, 'pg_class'), '') as "about",
           a.attname as "field", coalesce(col_description(c.oid, a.attnum), '') as "comment"
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
     order by n.nspname, c.relname, a.attname`;
  return z.array(Column).parse(rows);
}

async function handlersIn(
  sql: Sql,
): Promise<Pick<StoredColumns, "routines" | "erasureEvents" | "cascades">> {
  const routines = await sql`
    select n.nspname || '.' || p.proname as name
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('accounts', 'collector', 'ledger', 'studio')`;
  const events = await sql`select type as name from ledger.erasure_event`;
  const cascades = await sql`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
      from pg_constraint where contype = 'f' and confdeltype = 'c'`;
  const namesOf = (rows: unknown): Set<string> =>
    new Set(
      z
        .array(Name)
        .parse(rows)
        .map(({ name }) => name),
    );
  return {
    routines: namesOf(routines),
    erasureEvents: namesOf(events),
    cascades: new Set(
      z
        .array(Pair)
        .parse(cascades)
        .map(({ from, to }) => `${from} ${to}`),
    ),
  };
}

/** The queue's library makes its columns; those without a comment of ours are its own work. */
function queueColumn({ table, about, field, comment }: Column): Column {
  return comment === ""
    ? { table, about, field: "other columns", comment: "operational: Work of the library" }
    : { table, about, field, comment };
}
