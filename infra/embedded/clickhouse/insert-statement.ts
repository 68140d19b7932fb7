import { CODE, refusal } from "./engine-error.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";
import type { InsertDataStatement } from "./statement.ts";

const QUERY_STARTS = new Set(["SELECT", "WITH", "WATCH", "FROM"]);

type Clauses = {
  targetEnd: number;
  settingsStart: number | undefined;
  /** The word that ends the head: VALUES, FORMAT, a query's first word, or nothing. */
  last: Token | undefined;
  formatName: Token | undefined;
  headEnd: number;
};

/** Reads the table (`db.table`, `{name:Identifier}` or `FUNCTION f(…)`) up to its last name. */
function skipTarget(tokens: Iterator<Token, void>): Token | undefined {
  tokens.next(); // INSERT
  let token = tokens.next().value ?? undefined;
  if (token?.text === "INTO") token = tokens.next().value ?? undefined;
  if (token?.text === "TABLE" || token?.text === "FUNCTION") token = tokens.next().value ?? undefined;
  return token;
}

function clausesOf(sql: string): Clauses {
  const tokens = tokensOf(sql);
  const target = skipTarget(tokens);
  const clauses: Clauses = {
    targetEnd: target?.end ?? sql.length,
    settingsStart: undefined,
    last: undefined,
    formatName: undefined,
    headEnd: target?.end ?? sql.length,
  };
  let depth = target?.kind === "open" ? 1 : 0;
  let afterOpen = false;
  let afterDot = false;
  for (const token of tokens) {
    const isQuery = token.kind === "word" && QUERY_STARTS.has(token.text);
    if (afterOpen && depth === 1 && (token.text === "SELECT" || token.text === "WITH")) {
      return { ...clauses, last: token };
    }
    afterOpen = token.kind === "open";
    if (token.kind === "close") depth -= 1;
    if (depth === 0 && token.kind === "word" && !afterDot) {
      if (token.text === "FORMAT") return { ...clauses, last: token, formatName: tokens.next().value ?? undefined };
      if (isQuery || token.text === "VALUES") return { ...clauses, last: token };
      if (token.text === "SETTINGS") clauses.settingsStart ??= token.start;
    }
    if (token.kind === "open") depth += 1;
    if (token.kind === "semicolon" && depth === 0) return clauses;
    afterDot = token.text === ".";
    if (clauses.settingsStart === undefined) clauses.targetEnd = token.end;
    clauses.headEnd = token.end;
  }
  return clauses;
}

/** Data begins after the format's name, blanks, and one line break. */
const BEFORE_DATA = /[ \t\f]*;?[ \t\f]*\r?\n?/y;

function dataStartAfter(sql: string, at: number): number {
  BEFORE_DATA.lastIndex = at;
  return BEFORE_DATA.test(sql) ? BEFORE_DATA.lastIndex : at;
}

/**
 * Reads the head of an INSERT whose rows come as data; undefined when they come from a query.
 * The data itself is never looked at.
 * @throws {EngineError} 63 for FROM INFILE, which would read a file of this machine
 */
export function insertStatement(sql: string): InsertDataStatement | undefined {
  const { targetEnd, settingsStart, last, formatName, headEnd } = clausesOf(sql);
  if (last?.text === "FROM") {
    const [next] = tokensOf(sql.slice(last.end));
    if (next?.text === "INFILE") {
      throw refusal(CODE.unknownTypeOfQuery, "UNKNOWN_TYPE_OF_QUERY", "FROM INFILE is not allowed over HTTP.");
    }
  }
  if (last !== undefined && QUERY_STARTS.has(last.text)) return undefined;
  const settingsEnd = last?.start ?? headEnd;
  const settings = [settingsStart ?? settingsEnd, settingsEnd] as const;
  if (last?.text === "FORMAT") {
    if (formatName === undefined) return undefined;
    const format = sql.slice(formatName.start, formatName.end);
    const dataStart = dataStartAfter(sql, formatName.end);
    return { kind: "insert-data", targetEnd, settings, format, dataStart };
  }
  const format = last === undefined ? undefined : "Values";
  const dataStart = last === undefined ? dataStartAfter(sql, headEnd) : last.end;
  return { kind: "insert-data", targetEnd, settings, format, dataStart };
}
