import type { EngineConnection } from "./engine.ts";
import { quotedIdentifier, stringLiteral } from "./literals.ts";
import type { RequestOptions } from "./request-options.ts";

type Wishes = Pick<RequestOptions, "database" | "roles" | "settings" | "parameters">;

/** Below the engine's limit for the text of a statement (262144 bytes), whatever the characters. */
const SMALL_TEXT = 60_000;

function setStatement(assignments: Wishes["settings"]): string {
  return `SET ${assignments.map(([name, value]) => `${name} = ${stringLiteral(value)}`).join(", ")}`;
}

/** Parameters travel outside the statement on a server, so its size limit must not concern them. */
function setParameters({ parameters, settings }: Wishes): string[] {
  if (parameters.length === 0) return [];
  const statement = setStatement(parameters);
  if (statement.length < SMALL_TEXT) return [statement];
  const asked = settings.findLast(([name]) => name === "max_query_size")?.[1];
  const limit = asked === undefined ? "DEFAULT" : stringLiteral(asked);
  return ["SET max_query_size = 1073741824", statement, `SET max_query_size = ${limit}`];
}

/**
 * The statements that give a connection a request's database, roles, settings and parameters.
 * Names were checked when they were read; values are escaped here.
 * @param readonly the level that the HTTP method implies; a request may only raise it
 */
export function preambleOf(wishes: Wishes, readonly: boolean): string[] {
  const statements: string[] = [];
  if (wishes.database !== undefined) statements.push(`USE ${quotedIdentifier(wishes.database)}`);
  if (wishes.roles.length > 0) {
    statements.push(`SET ROLE ${wishes.roles.map(quotedIdentifier).join(", ")}`);
  }
  const level = wishes.settings.filter(([name]) => name === "readonly");
  const others = wishes.settings.filter(([name]) => name !== "readonly");
  if (others.length > 0) statements.push(setStatement(others));
  statements.push(...setParameters(wishes));
  // Last: after it nothing else can be set.
  const [, asked] = level.at(-1) ?? [undefined, undefined];
  const isRefusedLevel = asked === undefined || asked === "0";
  if (readonly && isRefusedLevel) statements.push("SET readonly = 2");
  else if (asked !== undefined) statements.push(`SET readonly = ${stringLiteral(asked)}`);
  return statements;
}

/**
 * What undoes a request's settings on a connection that lives on (a session): there, only SET
 * statements may stick, as on a server. Taken before the preamble runs.
 */
export async function undoOf(connection: EngineConnection, wishes: Wishes): Promise<string[]> {
  const undo: string[] = [];
  if (wishes.database !== undefined) {
    const { bytes } = await connection.query("SELECT currentDatabase()", "TSVRaw");
    undo.push(`USE ${quotedIdentifier(Buffer.from(bytes).toString("utf8").trimEnd())}`);
  }
  if (wishes.roles.length > 0) undo.push("SET ROLE DEFAULT");
  if (wishes.settings.length === 0) return undo;
  const names = wishes.settings.map(([name]) => stringLiteral(name)).join(", ");
  const sql = `SELECT name, value, changed FROM system.settings WHERE name IN (${names})`;
  const { bytes } = await connection.query(sql, "TSV");
  const rows = Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  // The escapes of the TSV format are also those of a string literal.
  for (const [name, value, changed] of rows.map((row) => row.split("\t"))) {
    undo.push(`SET ${name} = ${changed === "1" ? `'${value}'` : "DEFAULT"}`);
  }
  return undo;
}
