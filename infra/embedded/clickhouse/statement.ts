import { multiStatements, refusal } from "./engine-error.ts";
import { insertStatement } from "./insert-statement.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";
import type { RowsStatement, Statement } from "./statement-kinds.ts";

const ROWS = new Set("SELECT WITH FROM SHOW DESCRIBE DESC EXPLAIN EXISTS CHECK".split(" "));

/** Words after which `format` can only be a name. */
const EXPECTS_NAME = new Set(
  "SELECT DISTINCT FROM BY WHERE PREWHERE HAVING AND OR NOT AS ON USING JOIN IN LIKE WITH".split(
    " ",
  ),
);

function endsAnExpression(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "open" || token.kind === "semicolon") return false;
  if (token.kind === "symbol") return token.text === "*";
  return !(token.kind === "word" && EXPECTS_NAME.has(token.text));
}

/** Whether a trailing `FORMAT x [SETTINGS a = b, …]` begins here. */
function isTrailingFormat(top: readonly Token[], at: number): boolean {
  const [before, word, name, settings, , equals] = top.slice(at - 1);
  if (word?.text !== "FORMAT" || word.kind !== "word") return false;
  if (name?.kind !== "word" && name?.kind !== "quoted") return false;
  const isEnd = settings === undefined || (settings.text === "SETTINGS" && equals?.text === "=");
  return isEnd && endsAnExpression(before);
}

function rowsStatement(sql: string, top: readonly Token[], end: number): RowsStatement {
  const at = top.findLastIndex((_, index) => index > 0 && isTrailingFormat(top, index));
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
    if (previous === "INTO" && token.text === "OUTFILE") {
      throw refusal("INTO_OUTFILE_NOT_ALLOWED", "INTO OUTFILE is not allowed over HTTP.");
    }
    if (token.kind === "close") depth -= 1;
    if (depth <= 0) top.push(token);
    if (token.kind === "open") depth += 1;
    previous = token.kind === "word" ? token.text : "";
    end = token.end;
  }
  return { top, end };
}

/**
 * Finds out what kind of statement a text is and where its clauses are.
 * @param sql the text decoded as latin1; for an INSERT with data, as much of it as there is yet
 * @throws {EngineError} 62 for nothing and for several statements, 171 INTO OUTFILE, 63 FROM INFILE
 */
export function parseStatement(sql: string): Statement {
  const first = tokensOf(sql).next().value;
  if (first === undefined || first.kind === "semicolon") {
    const message = "Syntax error: failed at position 1 (end of query): Empty query.";
    throw refusal("SYNTAX_ERROR", message);
  }
  if (first.text === "INSERT") {
    const insert = insertStatement(sql);
    if (insert !== undefined) return insert;
  }
  const { top, end } = topLevel(tokensOf(sql));
  if (first.kind === "open" || ROWS.has(first.text)) return rowsStatement(sql, top, end);
  return { kind: first.text === "INSERT" ? "insert-select" : "command", end };
}
