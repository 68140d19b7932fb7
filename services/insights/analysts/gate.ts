import { ClickHouseError } from "@clickhouse/client";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analystViews } from "@pro-talent/schemas/analysts/views";
import { z } from "zod";

import { placeOfName, queryFault, queryProblem, tableUnknown } from "./faults.ts";
import {
  allowedNodes,
  allowedParameterType,
  allowedTableFunctions,
  isAllowedFunction,
  isOpenTable,
  querySettings,
} from "./policy.ts";

export type Asked = {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Values are written as ClickHouse's HTTP interface takes them; otherwise they are the values themselves. */
  readonly isEscaped?: boolean;
};
/** A query that may run: in the engine's own form, and the views that it names. */
export type Admitted = {
  readonly sql: string;
  readonly views: readonly string[];
  /** Its parts as the engine lists them, within `SELECT * FROM (…)`. */
  readonly parts: readonly string[];
};

/**
 * Lets a query through if everything in it is open to analysts. The engine itself reads the text: it writes it
 * anew, as one statement without comments, and names the parts of exactly the text that will be executed. Each part,
 * function and table must be on a list. The engine's list of parts leaves out windows that stand behind `OVER`, so that
 * the words of the text are checked as well.
 * @throws ProblemError `query_wrong` or `query_refused`, with what and where
 */
export async function admit(clickhouse: ClickHouseClient, asked: Asked): Promise<Admitted> {
  const sql = await canonical(clickhouse, asked.text, "formatQuerySingleLine");
  if (!/^(?:SELECT|WITH|\()/u.test(sql)) throw refusal(asked, notOneSelect);
  const tokens = tokensOf(sql);
  checkWords(tokens, asked);
  checkParameters(tokens, asked);
  const lines = await partsOf(clickhouse, sql, asked);
  const views = checkParts(lines, namedSubqueries(tokens), asked);
  return { sql, views, parts: lines };
}

const notOneSelect = "A query is one SELECT, without FORMAT and INTO OUTFILE.";

/** The text as the engine writes it. @throws ProblemError `query_wrong`, `query_refused` for several statements */
export async function canonical(
  clickhouse: ClickHouseClient,
  text: string,
  by: "formatQuery" | "formatQuerySingleLine",
): Promise<string> {
  if (/[^\P{Cc}\t\n\r]/u.test(text)) throw wrong("The text contains control characters.");
  const [row] = await rowsOf(
    clickhouse,
    { query: `SELECT ${by}({text:String}) AS line`, parameters: { text } },
    text,
  );
  if (row === undefined) throw new Error("The engine has formatted nothing");
  return row.line;
}

/** The parts of what will be executed, a line each. Values of parameters are among them. */
async function partsOf(clickhouse: ClickHouseClient, sql: string, asked: Asked) {
  const query = `SELECT explain AS line FROM (EXPLAIN AST SELECT * FROM (${sql}))`;
  try {
    const rows = await rowsOf(clickhouse, { ...asked, query }, asked.text);
    return rows.flatMap(({ line }) => line.split("\n"));
  } catch (error) {
    // The text alone was a statement: it is none that can stand in brackets.
    const isSyntax =
      error instanceof ProblemError && error.errors?.[0]?.message.includes("Syntax error");
    throw isSyntax === true ? refusal(asked, notOneSelect) : error;
  }
}

/** Values for the client to write, and those that are written already: the client leaves settings as they are. */
export function parametersOf({
  parameters,
  isEscaped = false,
}: Pick<Asked, "parameters" | "isEscaped">) {
  if (!isEscaped) return { values: { ...parameters }, escaped: {} };
  const named = Object.entries(parameters).map(
    ([name, value]) => [`param_${name}`, value] as const,
  );
  return { values: {}, escaped: Object.fromEntries(named) };
}

const Lines = z.array(z.object({ line: z.string() }));

async function rowsOf(
  clickhouse: ClickHouseClient,
  { query, ...given }: { query: string } & Pick<Asked, "parameters" | "isEscaped">,
  text: string,
) {
  const { values, escaped } = parametersOf(given);
  try {
    const result = await clickhouse.query({
      query,
      query_params: values,
      format: "JSONEachRow",
      // The engine counts its own explanation as a table function, which 1 forbids; nothing is executed here.
      clickhouse_settings: { ...escaped, ...querySettings, readonly: "2" },
    });
    return Lines.parse(await result.json());
  } catch (error) {
    if (error instanceof ClickHouseError) throw queryFault(error, text);
    throw error;
  }
}

type Token = {
  readonly kind: "string" | "quoted" | "parameter" | "other";
  readonly text: string;
  /** Nothing is between it and the token before. */
  readonly isJoined: boolean;
};

/** Of the engine's own form: strings in ', names in `, both with backslashes, and no comments. */
export function tokensOf(sql: string): readonly Token[] {
  const pattern =
    /(?<string>'(?:[^'\\]|\\[^])*')|(?<quoted>`(?:[^`\\]|\\[^])*`)|(?<parameter>\{\w+:[^}]*\})|\w+|[^\s\w]/gu;
  let end = -1;
  return [...sql.matchAll(pattern)].map(({ 0: text, index, groups = {} }) => {
    const isJoined = index === end;
    end = index + text.length;
    const kinds = ["string", "quoted", "parameter"] as const;
    const kind = kinds.find((name) => groups[name] !== undefined) ?? "other";
    return { kind, text, isJoined };
  });
}

/** The words that the list of parts does not show, and names that could pass for other parts in it. */
function checkWords(tokens: readonly Token[], asked: Asked): void {
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === "quoted") checkName(text, asked);
    if (kind !== "other" && kind !== "quoted") continue;
    const next = tokens[at + 1];
    if (next?.text === "(") checkBracket(tokens, at, asked);
    const isSource = text === "FROM" || text === "JOIN";
    if (isSource && tokens[at + 2]?.text === ".") {
      const name = tokens.slice(at + 1, at + 4).map((token) => token.text);
      throw refusal(asked, tableUnknown(name.join("")), name[0]);
    }
  }
}

function checkName(quoted: string, asked: Asked): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/[\\\u0000-\u001f.]/u.test(quoted)) return;
  throw refusal(asked, "Names must not contain dots, backslashes or control characters.", quoted);
}

/** Of a function, which the engine writes without a space before its bracket, or of a window. */
function checkBracket(tokens: readonly Token[], at: number, asked: Asked): void {
  const name = tokens[at]?.text.replaceAll("`", "") ?? "";
  const isCall = tokens[at + 1]?.isJoined === true && /^\w/u.test(name);
  if (isCall && !isAllowedCall(name)) throw refusal(asked, functionUnknown(name), name);
  if (name === "OVER") checkWindow(tokens.slice(at + 2), asked);
}

const isAllowedCall = (name: string): boolean =>
  isAllowedFunction(name) || allowedTableFunctions.includes(name);

/** A window reads nothing else than its rows. */
function checkWindow(after: readonly Token[], asked: Asked): void {
  let depth = 1;
  for (const { kind, text } of after) {
    if (kind !== "other") continue;
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    if (depth === 0) return;
    if (/^(?:SELECT|IN|WITH)$/u.test(text)) {
      throw refusal(asked, "A window contains no subquery and no IN.", "OVER");
    }
  }
}

function checkParameters(tokens: readonly Token[], asked: Asked): void {
  for (const { kind, text } of tokens) {
    if (kind !== "parameter") continue;
    const [name = "", type = ""] = text.slice(1, -1).split(/:(.*)/su);
    if (!Object.hasOwn(asked.parameters, name)) {
      throw wrong(`The parameter {${name}:${type}} has no value.`);
    }
    if (!allowedParameterType.test(type.trim())) {
      throw refusal(asked, `A parameter is a date, a number or a text, not ${type}.`, name);
    }
  }
}

/** Names that a `WITH` of the query gives to a subquery: `name AS (`. */
function namedSubqueries(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ kind, text }, at) =>
      (kind === "other" || kind === "quoted") &&
      tokens[at + 1]?.text === "AS" &&
      tokens[at + 2]?.text === "("
        ? [text.replaceAll("`", "")]
        : [],
    ),
  );
}

export const depthOf = (line: string): number => line.length - line.trimStart().length;

/** @returns the views that are named */
function checkParts(
  lines: readonly string[],
  named: ReadonlySet<string>,
  asked: Asked,
): readonly string[] {
  const views = new Set<string>();
  const table = (name: string): void => {
    if (!isOpenTable(name) && !named.has(name)) throw refusal(asked, tableUnknown(name), name);
    if (Object.hasOwn(analystViews, name)) views.add(name);
  };
  lines.forEach((line, at) => {
    const [node = "", name = ""] = line.trim().split(" ");
    if (line.trim() === "") return;
    if (!allowedNodes.has(node)) throw refusal(asked, nodeUnknown(node));
    if (node === "TableIdentifier") table(nameOf(line));
    if (node !== "Function") return;
    if (lines[at - 1]?.trim().startsWith("TableExpression") === true) {
      if (!allowedTableFunctions.includes(name)) {
        throw refusal(asked, tableUnknown(`${name}(…)`), name);
      }
    } else if (!isAllowedFunction(name)) throw refusal(asked, functionUnknown(name), name);
    const among = isAmong.test(name) ? lastArgument(lines, at) : undefined;
    if (among?.trim().startsWith("Identifier ") === true) table(nameOf(among));
  });
  return [...views];
}

/** Of `Identifier a.b (alias c) (children 1)`. */
const nameOf = (line: string): string =>
  line
    .trim()
    .replace(/^\w+ /u, "")
    .replace(/ \((?:alias|children) .*$/u, "");

/** The forms of `IN`, and no other function whose name ends so, as `min` does. */
const isAmong = /^(?:global)?(?:not)?(?:null)?in$/iu;

/** The line of a function's last argument: what follows `IN` may be the name of a table. */
function lastArgument(lines: readonly string[], at: number): string | undefined {
  const depth = depthOf(lines[at] ?? "");
  const after = lines.slice(at + 1);
  const end = after.findIndex((line) => depthOf(line) <= depth);
  const within = end === -1 ? after : after.slice(0, end);
  return within.findLast((line) => depthOf(line) === depth + 2);
}

const functionUnknown = (name: string): string => `The function ${name} is not open to analysts.`;

const nodeUnknown = (node: string): string =>
  node === "Set"
    ? "A query states no settings."
    : `This is no part of a query for analysts: ${node}. A query is one SELECT.`;

/** @param named what the text is searched for, to say where */
const refusal = ({ text }: Asked, message: string, named?: string): ProblemError =>
  queryProblem("query_refused", message, placeOfName(text, named));
const wrong = (message: string): ProblemError => queryProblem("query_wrong", message);
