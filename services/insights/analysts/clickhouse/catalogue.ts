import { analystViews } from "@pro-talent/schemas/analysts/views";

/** The database that tools see; it holds the views. */
export const databaseName = "analytics";

/** What tools ask about the server; none of it is a secret, and none of it is the engine's own. */
const functions: Readonly<Record<string, string>> = {
  version: "25.8.1.1",
  currentUser: "analyst",
  user: "analyst",
  currentDatabase: databaseName,
  database: databaseName,
  timezone: "UTC",
  serverTimezone: "UTC",
  hostName: databaseName,
};

type Row = readonly (string | number)[];
type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] };

const views = Object.entries(analystViews);

/** What of the tables in `system` tools read: the views of analysts alone. */
const tables: Readonly<Record<string, Table>> = {
  databases: { columns: ["name", "engine", "comment"], rows: [[databaseName, "Views", ""]] },
  tables: {
    columns: [
      "database",
      "name",
      "engine",
      "comment",
      "is_temporary",
      "primary_key",
      "sorting_key",
    ],
    rows: views.map(([name, { summary }]) => [databaseName, name, "View", summary.en, 0, "", ""]),
  },
  columns: {
    columns: ["database", "table", "name", "type", "position", "default_kind", "comment"],
    rows: views.flatMap(([view, { columns }]) =>
      Object.entries(columns).map(([name, { type }], at) => {
        return [databaseName, view, name, type, at + 1, "", ""];
      }),
    ),
  },
};

const literal = (value: string | number): string =>
  typeof value === "number"
    ? String(value)
    : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The table of numbers has no end on a server. */
const numbers = "(SELECT number FROM numbers(1000000))";

/** A table as a subquery of its rows. */
function subquery({ columns, rows }: Table): string {
  const named = columns.map((name, at) => `tupleElement(row, ${at + 1}) AS ${name}`).join(", ");
  const listed = rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
  return `(SELECT ${named} FROM (SELECT arrayJoin([${listed}]) AS row))`;
}

const questions: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^SHOW DATABASES$/u, () => "SELECT name FROM system.databases"],
  [/^SHOW (?:FULL )?TABLES(?: FROM \w+)?$/u, () => "SELECT name FROM system.tables"],
  [
    /^(?:DESCRIBE TABLE|SHOW COLUMNS FROM) (?:\w+\.)?(\w+)(?: FROM \w+)?$/u,
    (view) =>
      `SELECT name, type, default_kind AS default_type, '' AS default_expression, comment FROM system.columns WHERE table = ${literal(view)} ORDER BY position`,
  ],
];

const replaced = new RegExp(
  [
    String.raw`'(?:[^'\\]|\\[^])*'`,
    "`(?:[^`\\\\]|\\\\[^])*`",
    String.raw`(?<![\w.])system\.(numbers|${Object.keys(tables).join("|")})\b`,
    String.raw`(?<![\w.])${databaseName}\.(\w+)`,
    String.raw`(?<![\w.])(${Object.keys(functions).join("|")})\(\)`,
  ].join("|"),
  "gu",
);

/**
 * A statement of a tool as a query that the gate may let through: what it asks about the server and its tables is
 * answered from the contract of the views, and names of views lose their database.
 * @param statement as the engine writes it, in one line
 */
export function asQuery(statement: string): string {
  const asked = questions.find(([pattern]) => pattern.test(statement));
  const query = asked === undefined ? statement : asked[1](asked[0].exec(statement)?.[1] ?? "");
  const replace = (text: string, table?: string, view?: string, call?: string): string => {
    if (table === "numbers") return numbers;
    if (table !== undefined) return subquery(tables[table] ?? { columns: [], rows: [] });
    if (call !== undefined) return literal(functions[call] ?? "");
    return view ?? text;
  };
  return query.replace(replaced, replace);
}
