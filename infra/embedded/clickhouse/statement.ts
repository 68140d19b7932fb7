import { insertStatement } from "./insert-statement.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";
import { CODE, refusal } from "./engine-error.ts";

/** A statement whose output is a table: it can be streamed. Offsets are bytes. */
export type RowsStatement = {
  kind: "rows";
  /** End of the last token before `FORMAT`, or of the whole. */
  coreEnd: number;
  /** The format that the statement itself names. */
  format: string | undefined;
  /** What follows `FORMAT x` (settings). */
  tail: readonly [start: number, end: number];
};

/** An INSERT whose rows follow as data. Offsets are bytes. */
export type InsertDataStatement = {
  kind: "insert-data";
  /** End of the table name and column list. */
  targetEnd: number;
  /** The SETTINGS clause, empty when there is none. */
  settings: readonly [start: number, end: number];
  /** The format that the statement itself names. */
  format: string | undefined;
  /** Where the data begins, if it begins within this text. */
  dataStart: number;
};

/** Everything else. */
export type PlainStatement = { kind: "insert-select" | "command"; keyword: string; end: number };

export type Statement = RowsStatement | InsertDataStatement | PlainStatement;

const ROWS = new Set(
  "SELECT WITH FROM SHOW DESCRIBE DESC EXPLAIN EXISTS CHECK".split(" "),
);

/** Words after which `format` can only be a name. */
const EXPECTS_NAME = new Set(
  "SELECT DISTINCT FROM BY WHERE PREWHERE HAVING AND OR NOT AS ON USING JOIN IN LIKE WITH".split(" "),
);

function endsAnExpression(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "open" || token.kind === "semicolon") return false;
  if (token.kind === "symbol") return token.text === "*";
  return !(token.kind === "word" && EXPECTS_NAME.has(token.text));
}

/** The index of the word FORMAT of a trailing `FORMAT x [SETTINGS a = b, …]`, or -1. */
function findFormat(top: readonly Token[]): number {
  for (let at = top.length - 2; at > 0; at -= 1) {
    if (top[at]?.text !== "FORMAT" || top[at]?.kind !== "word") continue;
    const isLast = at + 2 === top.length;
    const settings = top[at + 2]?.text === "SETTINGS" && top[at + 4]?.text === "=";
    const named = top[at + 1]?.kind === "word" || top[at + 1]?.kind === "quoted";
    if (named && (isLast || settings) && endsAnExpression(top[at - 1])) return at;
  }
  return -1;
}

function rowsStatement(sql: string, top: readonly Token[], end: number): RowsStatement {
  const at = findFormat(top);
  const before = top[at - 1];
  const name = top[at + 1];
  if (before === undefined || name === undefined) {
    return { kind: "rows", coreEnd: end, format: undefined, tail: [end, end] };
  }
  const format = sql.slice(name.start, name.end).replaceAll(/[`"]/g, "");
  return { kind: "rows", coreEnd: before.end, format, tail: [name.end, end] };
}

/** Collects the tokens outside all brackets, and refuses what a server refuses. */
function topLevel(tokens: Iterable<Token>): { top: Token[]; end: number } {
  const top: Token[] = [];
  let depth = 0;
  let end = 0;
  let closed = false;
  let previous = "";
  for (const token of tokens) {
    if (token.kind === "semicolon" && depth <= 0) {
      closed = true;
      continue;
    }
    if (closed) throw multiStatements();
    if (previous === "INTO" && token.text === "OUTFILE") throw intoOutfile();
    if (token.kind === "close") depth -= 1;
    if (depth <= 0) top.push(token);
    if (token.kind === "open") depth += 1;
    previous = token.kind === "word" ? token.text : "";
    end = token.end;
  }
  return { top, end };
}

function multiStatements(): Error {
  const message = "Syntax error (Multi-statements are not allowed): one statement per request.";
  return refusal(CODE.syntaxError, "SYNTAX_ERROR", message);
}

function intoOutfile(): Error {
  const message = "INTO OUTFILE is not allowed over HTTP.";
  return refusal(CODE.intoOutfileNotAllowed, "INTO_OUTFILE_NOT_ALLOWED", message);
}

/**
 * Finds out what kind of statement a text is and where its clauses are.
 * @param sql the text decoded as latin1; for an INSERT with data, as much of it as there is yet
 * @throws {EngineError} 62 for nothing and for several statements, 171 INTO OUTFILE, 63 FROM INFILE
 */
export function parseStatement(sql: string): Statement {
  const first = tokensOf(sql).next().value;
  if (first === undefined || first.kind === "semicolon") {
    throw refusal(CODE.syntaxError, "SYNTAX_ERROR", "Syntax error: failed at position 1 (end of query): Empty query.");
  }
  if (first.text === "INSERT") {
    const insert = insertStatement(sql);
    if (insert !== undefined) return insert;
  }
  const { top, end } = topLevel(tokensOf(sql));
  if (first.kind === "open" || ROWS.has(first.text)) return rowsStatement(sql, top, end);
  return { kind: first.text === "INSERT" ? "insert-select" : "command", keyword: first.text, end };
}
