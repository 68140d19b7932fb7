import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { migrateCollector } from "@pro-talent/collector/migrate";
import { spoolAssets } from "@pro-talent/collector/spool/data-assets";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { logFields } from "@pro-talent/platform/runtime/logger";
import { createTestClickhouse, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";

const Text = z.string();
/** A column, the comment on it and the one on its table; empty where there is none. */
const Column = z.object({ table: Text, about: Text, field: Text, comment: Text });
type Column = z.infer<typeof Column>;

const FIELD = /^(identifier|pseudonym|coarse|content|operational|secret): (\S.*)$/u;
const ABOUT = /^\S.*\. Kept: \S.*$/u;

let stores: { Postgres: Column[]; ClickHouse: Column[]; Queue: Column[] };

beforeAll(async () => {
  const [database, clickhouse] = await Promise.all([createTestPostgres(), createTestClickhouse()]);
  const { ownerUrl } = database;
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "test-data-assets" });
  try {
    await migrateLedger(ownerUrl, ownerUrl);
    await migrateAccounts(ownerUrl, ownerUrl);
    const { url: clickhouseUrl, database: name, client } = clickhouse;
    await migrateCollector({ ownerUrl, clickhouseUrl, database: name });
    const rows = await sql`
      select n.nspname || '.' || c.relname as "table",
             coalesce(obj_description(c.oid, 'pg_class'), '') as "about",
             a.attname as "field", coalesce(col_description(c.oid, a.attnum), '') as "comment"
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
       order by n.nspname, c.relname, a.attname`;
    const inPostgres = z.array(Column).parse(rows);
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
    const isQueue = ({ table }: Column): boolean => table.startsWith("bullmq.");
    stores = {
      Postgres: inPostgres.filter((row) => !isQueue(row)),
      ClickHouse: z.array(Column).parse(await result.json()),
      Queue: inPostgres.filter(isQueue).map(queueColumn),
    };
  } finally {
    await sql.end();
    await Promise.all([database.drop(), clickhouse.drop()]);
  }
});

/** The queue's library makes its columns; those without a comment of ours are its own work. */
function queueColumn({ table, about, field, comment }: Column): Column {
  return comment === ""
    ? { table, about, field: "other columns", comment: "operational: Work of the library" }
    : { table, about, field, comment };
}

/** What is not classified, or is kept although it must not be. */
function problemsOf(columns: readonly Column[]): string[] {
  const problems = columns.flatMap(({ table, about, field, comment }) => {
    const found = FIELD.exec(comment)?.[1];
    if (!ABOUT.test(about)) return [`${table}: no purpose and retention`];
    if (found === undefined) return [`${table}.${field}: no class and purpose`];
    return found === "identifier" || found === "secret" ? [`${table}.${field}: ${found}`] : [];
  });
  return [...new Set(problems)];
}

function section(title: string, columns: readonly Column[]): string {
  const assets = [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => {
    const fields = own.map(({ field, comment }) => {
      const [, fieldClass, purpose] = FIELD.exec(comment) ?? [];
      return `| \`${field}\` | ${fieldClass} | ${purpose} |\n`;
    });
    const head = "| field | class | purpose |\n| --- | --- | --- |\n";
    return `### ${table}\n\n${own[0]?.about}.\n\n${head}${[...new Set(fields)].join("")}`;
  });
  return `## ${title}\n\n${assets.join("\n")}`;
}

type Assets = Record<string, { about: string; fields: Record<string, string> }>;
const columnsOf = (assets: Assets): Column[] =>
  Object.entries(assets).flatMap(([table, { about, fields }]) =>
    Object.entries(fields).map(([field, comment]) => ({ table, about, field, comment })),
  );

it("every stored field has a class and a purpose, every data asset a purpose and a retention", async () => {
  const about =
    "What a service reports about itself; each line also has `level`, `time`, `service` and a fixed text, `msg`. Kept: three files of ten megabytes in the containers; elsewhere as configured";
  const all = {
    ...stores,
    "Spool of the collector": columnsOf(spoolAssets),
    Logs: columnsOf({ "service log": { about, fields: logFields } }),
  };
  expect(problemsOf(Object.values(all).flat())).toEqual([]);
  const sections = Object.entries(all).map(([title, columns]) => section(title, columns));
  const document = `# Data assets

<!-- Made from the comments in the databases: npm test -- infra/quality/data-assets -u -->

What is stored where, why and for how long. A field without a class, or a table without a retention,
fails the build; so does a field of class identifier or secret. The classes are in the
[glossary](glossary.md).

${sections.join("\n")}`;
  await expect(document).toMatchFileSnapshot("../docs/data-assets.md");
});

it("the columns of the spool's rows are those of their tables", () => {
  const fieldsOf = (columns: readonly Column[], table: string): string[] =>
    columns.filter((column) => column.table === table).map(({ field }) => field);
  const counter = [...Object.keys(CounterRow.shape), "mark"].toSorted();
  expect(fieldsOf(stores.ClickHouse, "events")).toEqual(Object.keys(EventRow.shape).toSorted());
  expect(fieldsOf(stores.ClickHouse, "counters_daily")).toEqual(counter);
});

it("what is not classified, or identifies a person by itself, is reported", () => {
  const row = { table: "a", about: "Parcels. Kept: a year", field: "b", comment: "coarse: Where" };
  expect(problemsOf([row])).toEqual([]);
  expect(problemsOf([{ ...row, about: "Parcels" }])).toEqual(["a: no purpose and retention"]);
  expect(problemsOf([{ ...row, comment: "" }])).toEqual(["a.b: no class and purpose"]);
  expect(problemsOf([{ ...row, comment: "secret: A key" }])).toEqual(["a.b: secret"]);
});
