import { spoolAssets } from "@pro-talent/collector/spool/data-assets";
import { logFields } from "@pro-talent/platform/runtime/logger";
import { spanFields } from "@pro-talent/platform/tracing/spans";
import { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import { beforeAll, expect, it } from "vitest";

import { type Column, readStoredColumns, type StoredColumns } from "./data-map/stored-columns.ts";

const FIELD = /^(identifier|pseudonym|coarse|content|operational|secret): (\S.*)$/u;
const ABOUT = /^\S.*\. Kept: \S.*$/u;

let stores: StoredColumns;

beforeAll(async () => {
  stores = await readStoredColumns();
});

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
    "What a service reports about itself; each line also has `level`, `time`, `service` and a fixed text, `msg`. Kept: 30 days with `npm start`, in ten files of five megabytes at most; three files of ten megabytes in the containers";
  const aboutTraces =
    "What a request or a report led to, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Its id is that of the request, or of the event in ClickHouse or the ledger, which says nothing once that is erased. Kept: 3 days (`infra/observability/tempo.yml`)";
  const all = {
    Postgres: stores.Postgres,
    ClickHouse: stores.ClickHouse,
    Queue: stores.Queue,
    "Spool of the collector": columnsOf(spoolAssets),
    Logs: columnsOf({
      "service log": { about, fields: logFields },
      traces: { about: aboutTraces, fields: spanFields },
    }),
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
