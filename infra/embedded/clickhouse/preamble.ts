import { quotedIdentifier, stringLiteral } from "./literals.ts";
import type { RequestOptions } from "./request-options.ts";

type Requested = Pick<RequestOptions, "database" | "settings" | "parameters">;

/** Below the engine's limit for the text of a statement (262144 bytes), whatever the characters. */
const SMALL_TEXT = 60_000;

function setStatement(assignments: Requested["settings"]): string {
  return `SET ${assignments.map(([name, value]) => `${name} = ${stringLiteral(value)}`).join(", ")}`;
}

/** Parameters travel outside the statement on a server, so its size limit must not concern them. */
function setParameters({ parameters, settings }: Requested): string[] {
  if (parameters.length === 0) return [];
  const statement = setStatement(parameters);
  if (statement.length < SMALL_TEXT) return [statement];
  const requested = settings.findLast(([name]) => name === "max_query_size")?.[1];
  const limit = requested === undefined ? "DEFAULT" : stringLiteral(requested);
  return ["SET max_query_size = 1073741824", statement, `SET max_query_size = ${limit}`];
}

/**
 * The statements that give a connection a request's database, settings and parameters. Names were
 * checked when they were read; values are escaped here.
 * @param readonly the level that the HTTP method implies; a request may only raise it
 */
export function preambleOf(requested: Requested, readonly: boolean): string[] {
  const { database, settings } = requested;
  const others = settings.filter(([name]) => name !== "readonly");
  const level = settings.findLast(([name]) => name === "readonly")?.[1];
  const statements = [
    ...(database === undefined ? [] : [`USE ${quotedIdentifier(database)}`]),
    ...(others.length === 0 ? [] : [setStatement(others)]),
    ...setParameters(requested),
  ];
  // Last: after it nothing else can be set.
  if (readonly && (level === undefined || level === "0")) statements.push("SET readonly = 2");
  else if (level !== undefined) statements.push(`SET readonly = ${stringLiteral(level)}`);
  return statements;
}
