import { refusal } from "./engine-error.ts";
import { quotedIdentifier, stringLiteral } from "./literals.ts";
import type { RequestOptions } from "./request-options.ts";
import type { User } from "./users.ts";

type Requested = Pick<RequestOptions, "database" | "settings" | "parameters" | "roles" | "session">;

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
 * The statements that give a connection the rights and settings of its user, and a request's database,
 * settings and parameters. Names were checked when they were read; values are escaped here.
 * @param readonly the level that the HTTP method implies; a request may only raise it
 * @throws {EngineError} 511 for a role that the user does not have
 */
export function preambleOf(
  requested: Requested,
  { readonly, user }: { readonly: boolean; user: User | undefined },
): string[] {
  const { settings } = requested;
  const database = requested.database ?? user?.database ?? undefined;
  const others = settings.filter(([name]) => name !== "readonly");
  const level = settings.findLast(([name]) => name === "readonly")?.[1];
  const statements = [
    ...(database === undefined ? [] : [`USE ${quotedIdentifier(database)}`]),
    ...ofUser(requested, user),
    ...(others.length === 0 ? [] : [setStatement(others)]),
    ...(user?.settings.some(isReadonly) === true ? [] : setParameters(requested)),
  ];
  if (requested.session !== undefined) return statements;
  // Last: after it nothing else can be set.
  if (readonly && (level === undefined || level === "0")) statements.push("SET readonly = 2");
  else if (level !== undefined) statements.push(`SET readonly = ${stringLiteral(level)}`);
  return statements;
}

const isReadonly = ([name]: readonly [string, string]): boolean => name === "readonly";

function ofUser(requested: Requested, user: User | undefined): string[] {
  const { roles } = requested;
  if (user === undefined) return roles.length === 0 ? [] : [setRoles(roles)];
  const own = user.roles.filter((role) => !/^\w+$/.test(role));
  const foreign = roles.find((role) => !user.roles.includes(role));
  if (foreign !== undefined) {
    throw refusal("UNKNOWN_ROLE", `The role ${foreign} is not granted to the user.`);
  }
  // Parameters are set before the level that forbids it.
  const first = user.settings.some(isReadonly) ? setParameters(requested) : [];
  const sorted = [
    ...user.settings.filter((each) => !isReadonly(each)),
    ...user.settings.filter(isReadonly),
  ];
  return [
    setRoles(roles.length === 0 ? user.roles : [...new Set([...own, ...roles])]),
    ...first,
    ...sorted.map((setting) => setStatement([setting])),
  ];
}

const setRoles = (roles: readonly string[]): string =>
  `SET ROLE ${roles.length === 0 ? "NONE" : roles.map(quotedIdentifier).join(", ")}`;
