import { migrateCollector } from "@pro-talent/collector/migrate";
import { spoolAssets } from "@pro-talent/collector/spool/data-assets";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { queueTables } from "@pro-talent/platform/queue/data-assets";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { logFields } from "@pro-talent/platform/runtime/logger";
import { createTestClickhouse, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

/** A stored column, the comment on it and the one on its table; empty where there is none. */
const Column = z.object({
  table: z.string(),
  about: z.string(),
  column: z.string(),
  comment: z.string(),
});
type Column = z.infer<typeof Column>;

const FIELD = /^(identifier|pseudonym|coarse|content|operational|secret): (\S.*)$/u;
const TABLE = /^\S.*\. Kept: \S.*$/u;
/** Read models that have no comments yet; the exception ends when they have. */
const PENDING = /^ledger\.(?:consent|newsletter)_/u;

let postgres: Column[];
let clickhouse: Column[];
let queue: Column[];

beforeAll(async () => {
  const [database, stores] = await Promise.all([createTestPostgres(), createTestClickhouse()]);
  const { ownerUrl } = database;
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "test-data-assets" });
  try {
    await migrateLedger(ownerUrl);
    await migrateQueue({ queueUrl: ownerUrl, ownerUrl, role: "jobs_app" });
    await migrateCollector({ ownerUrl, clickhouseUrl: stores.url, database: stores.database });
    const rows = z.array(Column).parse(
      await sql`
        select n.nspname || '.' || c.relname as "table",
               coalesce(obj_description(c.oid, 'pg_class'), '') as "about",
               a.attname as "column", coalesce(col_description(c.oid, a.attnum), '') as "comment"
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
         order by n.nspname, c.relname, a.attname`,
    );
    queue = rows.filter(({ table }) => table.startsWith("bullmq."));
    postgres = rows.filter(({ table }) => !table.startsWith("bullmq.") && !PENDING.test(table));
    // Views and tables with the engine Null keep nothing.
    const result = await stores.client.query({
      query: `
        SELECT t.name AS "table", t.comment AS "about", c.name AS "column", c.comment AS "comment"
          FROM system.columns AS c
          JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
         WHERE c.database = {name:String} AND t.engine NOT IN ('View', 'MaterializedView', 'Null')
         ORDER BY 1, 3`,
      query_params: { name: stores.database },
      format: "JSONEachRow",
    });
    clickhouse = z.array(Column).parse(await result.json());
  } finally {
    await sql.end();
    await Promise.all([database.drop(), stores.drop()]);
  }
});

/** What is not classified, or is kept although it must not be. */
function problemsOf(columns: readonly Column[]): string[] {
  const problems = columns.flatMap(({ table, about, column, comment }) => {
    const found = FIELD.exec(comment)?.[1];
    if (!TABLE.test(about)) return [`${table}: no purpose and retention`];
    if (found === undefined) return [`${table}.${column}: no class and purpose`];
    return found === "identifier" || found === "secret" ? [`${table}.${column}: ${found}`] : [];
  });
  return [...new Set(problems)];
}

function fieldTable(fields: readonly (readonly [name: string, comment: string])[]): string {
  const rows = fields.map(([name, comment]) => {
    const [, fieldClass, purpose] = FIELD.exec(comment) ?? [];
    return `| \`${name}\` | ${fieldClass} | ${purpose} |\n`;
  });
  return `| field | class | purpose |\n| --- | --- | --- |\n${rows.join("")}`;
}

function storeSection(title: string, columns: readonly Column[]): string {
  const assets = Map.groupBy(columns, ({ table }) => table);
  const sections = [...assets].map(([table, own]) => {
    const fields = own.map(({ column, comment }) => [column, comment] as const);
    return `### ${table}\n\n${own[0]?.about}.\n\n${fieldTable(fields)}`;
  });
  return `## ${title}\n\n${sections.join("\n")}`;
}

function queueSection(): string {
  const rows = Object.entries(queueTables).map(([table, { purpose, kept, payload = [] }]) => {
    const columns = payload.map((column) => `\`${column}\``).join(", ");
    return `| ${table} | ${purpose} | ${kept} | ${columns} |\n`;
  });
  return `## Queue

Tables of schema \`bullmq\` in Postgres. A payload consists of ids and numbers (pseudonym); every other
column is operational.

| table | purpose | kept | payload |
| --- | --- | --- | --- |
${rows.join("")}`;
}

function spoolSection(): string {
  const sections = spoolAssets.map(({ name, tables, purpose, kept, fields }) => {
    const same = tables.map((table) => `[\`${table}\`](#${table})`).join(" and ");
    const own = Object.entries(fields);
    const rest = own.length === 0 ? "" : `\nBesides:\n\n${fieldTable(own)}`;
    return `### ${name}\n\n${purpose}. Kept: ${kept}. Fields of ${same}.\n${rest}`;
  });
  return `## Spool of the collector\n\n${sections.join("\n")}`;
}

describe("stored data", () => {
  it("has a class and a purpose for each column, a purpose and a retention for each table", () => {
    expect(postgres.length).toBeGreaterThan(50);
    expect(clickhouse.length).toBeGreaterThan(90);
    expect(problemsOf([...postgres, ...clickhouse])).toEqual([]);
  });

  it("is reported when it is not classified, or names a person by itself", () => {
    const about = "Parcels. Kept: a year";
    const row = { table: "a", about, column: "b", comment: "coarse: The country" };
    expect(problemsOf([row])).toEqual([]);
    expect(problemsOf([{ ...row, about: "Parcels" }])).toEqual(["a: no purpose and retention"]);
    expect(problemsOf([{ ...row, comment: "" }])).toEqual(["a.b: no class and purpose"]);
    expect(problemsOf([{ ...row, comment: "identifier: The address" }])).toEqual([
      "a.b: identifier",
    ]);
  });

  it("of the queue is in listed tables alone", () => {
    const payloads = Object.entries(queueTables).flatMap(([table, { payload = [] }]) =>
      payload.map((column) => `bullmq.${table}.${column}`),
    );
    const tables = [...new Set(queue.map(({ table }) => table))];
    expect(Object.keys(queueTables).map((table) => `bullmq.${table}`)).toEqual(tables);
    expect(queue.map(({ table, column }) => `${table}.${column}`)).toEqual(
      expect.arrayContaining(payloads),
    );
  });

  it("of the spool has the classes of the columns with the same names", () => {
    const columnsOf = (table: string) =>
      clickhouse.filter((row) => row.table === table).map(({ column }) => column);
    expect(columnsOf("events")).toEqual(Object.keys(EventRow.shape).toSorted());
    expect(columnsOf("counters_daily")).toEqual(
      [...Object.keys(CounterRow.shape), "mark"].toSorted(),
    );
    const own = spoolAssets.flatMap(({ fields }) => Object.values(fields));
    for (const comment of [...own, ...Object.values(logFields)]) {
      expect(comment).toMatch(/^(?:coarse|operational): /u);
    }
  });

  it("is described in the document", async () => {
    const document = `# Data assets

<!-- Made from the comments in the databases: npm test -- infra/quality/data-assets -u -->

What is stored where, why and for how long. A column without a class, or a table without a
retention, fails the build; so does a column of class identifier or secret. The classes are in the
[glossary](glossary.md).

${storeSection("Postgres", postgres)}
${storeSection("ClickHouse", clickhouse)}
${queueSection()}
${spoolSection()}
## Logs

What a service reports about itself. Kept: as the machine that runs it is configured; three files of
ten megabytes in the containers. Each line also has \`level\`, \`time\`, \`service\` and \`msg\`, a fixed text.

${fieldTable(Object.entries(logFields))}`;
    await expect(document).toMatchFileSnapshot("../docs/data-assets.md");
  });
});
