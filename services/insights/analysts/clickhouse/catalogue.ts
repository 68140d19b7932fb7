import { analystViews } from "@pro-talent/schemas/analysts/views";
import { z } from "zod";

import { allowedFunctions, isScalarFunction, outputSettings } from "../policy.ts";

/** The database that tools see; it holds the views. */
export const databaseName = "analytics";

/** What tools ask about the server, in lower case; none of it is a secret, and none of it is the engine's own. */
const functions = new Map(
  Object.entries({
    version: "'25.8.1.1'",
    // Of the protocol; clients choose by it how they read blocks (native-blocks.ts).
    revision: "toUInt32(54460)",
    currentuser: "'analyst'",
    user: "'analyst'",
    currentdatabase: `'${databaseName}'`,
    database: `'${databaseName}'`,
    timezone: "'UTC'",
    servertimezone: "'UTC'",
    hostname: `'${databaseName}'`,
    displayname: `'${databaseName}'`,
  }),
);

type Row = readonly (string | number)[];
/** `same`: what all rows have in common, by the names of its columns. */
type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly same: Readonly<Record<string, string>>;
};

const empty = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, "''"]));
const unknown = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, "CAST(NULL, 'Nullable(UInt64)')"]));

const views = Object.entries(analystViews);

/** What of the tables in `system` tools read: the views of analysts alone, and what queries may use. */
const tables: Readonly<Record<string, Table>> = {
  databases: {
    columns: ["name", "engine"],
    rows: [[databaseName, "Views"]],
    same: empty("comment"),
  },
  tables: {
    columns: ["database", "name", "comment"],
    rows: views.map(([name, { summary }]) => [databaseName, name, summary.en]),
    same: {
      engine: "'View'",
      is_temporary: "0",
      ...empty("engine_full", "primary_key", "sorting_key", "partition_key"),
      ...unknown("total_rows", "total_bytes"),
    },
  },
  columns: {
    columns: ["database", "table", "name", "type", "position", "comment"],
    rows: views.flatMap(([view, { columns }]) =>
      Object.entries(columns).map(([name, { type, meaning }], at) => {
        return [databaseName, view, name, type, at + 1, meaning.en];
      }),
    ),
    same: {
      ...empty("default_kind", "default_expression"),
      ...unknown("character_octet_length", "numeric_precision", "numeric_precision_radix"),
      ...unknown("numeric_scale", "datetime_precision"),
    },
  },
  functions: {
    columns: ["name", "is_aggregate"],
    rows: allowedFunctions.map((name) => [name, isScalarFunction(name) ? 0 : 1]),
    same: {
      case_insensitive: "0",
      origin: "'System'",
      ...empty("alias_to", "description", "syntax", "arguments", "returned_value"),
      ...empty("examples", "categories"),
    },
  },
  settings: {
    columns: ["name"],
    rows: [...outputSettings].map((name) => [name]),
    same: { readonly: "0", changed: "0", ...empty("value", "description", "type", "default") },
  },
};

const literal = (value: string | number): string =>
  typeof value === "number"
    ? String(value)
    : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The table of numbers has no end on a server. */
const numbers = "(SELECT number FROM numbers(1000000))";

/** A table as a subquery of its rows. */
function subquery({ columns, rows, same }: Table): string {
  const named = [
    ...columns.map((name, at) => `tupleElement(row, ${at + 1}) AS ${name}`),
    ...Object.entries(same).map(([name, value]) => `${value} AS ${name}`),
  ];
  // With a number more: of one column alone the brackets would be none of a tuple.
  const listed = rows.map((row) => `(${[...row, 0].map(literal).join(", ")})`).join(", ");
  return `(SELECT ${named.join(", ")} FROM (SELECT arrayJoin([${listed}]) AS row))`;
}

const exists = (table: string) => (name: string) =>
  `SELECT toUInt8(count() > 0) AS result FROM system.${table} WHERE name = ${literal(name)}`;

const questions: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^SHOW DATABASES$/u, () => "SELECT name FROM system.databases"],
  [/^SHOW (?:FULL )?TABLES(?: FROM \w+)?$/u, () => "SELECT name FROM system.tables"],
  [/^EXISTS DATABASE (\w+)$/u, exists("databases")],
  [new RegExp(`^EXISTS (?:TABLE|VIEW) (?:${databaseName}\\.)?(\\w+)$`, "u"), exists("tables")],
  [
    /^(?:DESCRIBE TABLE|SHOW COLUMNS FROM) (?:\w+\.)?(\w+)(?: FROM \w+)?$/u,
    (view) =>
      `SELECT name, type, default_kind AS default_type, default_expression, comment, '' AS codec_expression, '' AS ttl_expression FROM system.columns WHERE table = ${literal(view)} ORDER BY position`,
  ],
];

const catalogue = Object.keys(tables).join("|");
const replaced = new RegExp(
  [
    String.raw`'(?:[^'\\]|\\[^])*'`,
    "`(?:[^`\\\\]|\\\\[^])*`",
    String.raw`(?<![\w.])system\.(?<table>numbers|${catalogue})\b(?<after>\.| AS )?`,
    String.raw`(?<![\w.])${databaseName}\.(?<view>\w+)`,
    String.raw`(?<![\w.])(?<call>\w+)\(\)(?<as> AS )?`,
  ].join("|"),
  "gu",
);

const Found = z.object({
  table: z.string().optional(),
  after: z.string().optional(),
  view: z.string().optional(),
  call: z.string().optional(),
  as: z.string().optional(),
});

/** The names that a query gives to tables: `FROM system.tables AS t`. */
const aliasesIn = (query: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...query.matchAll(/\bsystem\.(\w+) AS (\w+)/gu)].map(([, table = "", alias = ""]) => [
      table,
      alias,
    ]),
  );

/**
 * A statement of a tool as a query that the gate may let through: what it asks about the server and its tables is
 * answered from the contract of the views, and names of views lose their database. Columns keep the names by which
 * tools read them.
 * @param statement as the engine writes it, in one line
 */
export function asQuery(statement: string): string {
  const asked = questions.find(([pattern]) => pattern.test(statement));
  const query = asked === undefined ? statement : asked[1](asked[0].exec(statement)?.[1] ?? "");
  const aliases = aliasesIn(query);
  return query.replace(replaced, (text: string, ...found: readonly unknown[]) => {
    const { table, after, view, call, as } = Found.parse(found.at(-1));
    if (table !== undefined && after === ".") return `${aliases[table] ?? table}.`;
    if (table !== undefined) {
      const known = tables[table];
      return `${known === undefined ? numbers : subquery(known)}${after ?? ` AS ${table}`}`;
    }
    const value = functions.get(call?.toLowerCase() ?? "");
    return value === undefined ? (view ?? text) : `${value}${as ?? ` AS \`${call}()\``}`;
  });
}
