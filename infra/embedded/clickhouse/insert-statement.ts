import { refusal } from "./engine-error.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";
import type { InsertDataStatement } from "./statement-kinds.ts";

const QUERY_STARTS = new Set(["SELECT", "WITH", "WATCH", "FROM"]);

type Head = {
  targetEnd: number;
  settingsStart: number | undefined;
  end: number;
  /** The word that ends the head: VALUES, FORMAT, a query's first word, or nothing. */
  last?: Token;
  /** The token that follows it. */
  following?: Token | undefined;
};

/** Reads the table (`db.table`, `{name:Identifier}` or `FUNCTION f(…)`) up to its first name. */
function skipToTarget(tokens: Iterator<Token, void>): Token | undefined {
  const next = (): Token | undefined => tokens.next().value ?? undefined;
  next(); // INSERT
  let token = next();
  if (token?.text === "INTO") token = next();
  if (token?.text === "TABLE" || token?.text === "FUNCTION") token = next();
  return token;
}

function endsHead({ kind, text }: Token, depth: number, previous: Token | undefined): boolean {
  if (kind !== "word" || previous?.text === ".") return false;
  if (depth === 0) return text === "FORMAT" || text === "VALUES" || QUERY_STARTS.has(text);
  const isSubquery = depth === 1 && previous?.kind === "open";
  return isSubquery && (text === "SELECT" || text === "WITH");
}

function headOf(sql: string): Head {
  const tokens = tokensOf(sql);
  const target = skipToTarget(tokens);
  const end = target?.end ?? sql.length;
  const head: Head = { targetEnd: end, settingsStart: undefined, end };
  let depth = target?.kind === "open" ? 1 : 0;
  let previous: Token | undefined;
  for (let next = tokens.next(); next.done !== true; next = tokens.next()) {
    const token = next.value;
    if (token.kind === "close") depth -= 1;
    if (endsHead(token, depth, previous)) {
      return { ...head, last: token, following: tokens.next().value ?? undefined };
    }
    if (depth === 0) {
      if (token.kind === "semicolon") return head;
      if (token.text === "SETTINGS") head.settingsStart ??= token.start;
    }
    if (head.settingsStart === undefined) head.targetEnd = token.end;
    head.end = token.end;
    if (token.kind === "open") depth += 1;
    previous = token;
  }
  return head;
}

/** Data begins after the format's name, blanks, and one line break. */
const BEFORE_DATA = /[ \t\f]*;?[ \t\f]*\r?\n?/y;

function dataStartAfter(sql: string, at: number): number {
  BEFORE_DATA.lastIndex = at;
  return BEFORE_DATA.test(sql) ? BEFORE_DATA.lastIndex : at;
}

/** Where the data begins and in which format, by what ends the head. */
function dataOf(
  sql: string,
  { last, following, end }: Head,
): Pick<InsertDataStatement, "format" | "dataStart"> | undefined {
  if (last === undefined) return { format: undefined, dataStart: dataStartAfter(sql, end) };
  if (last.text === "VALUES") return { format: "Values", dataStart: last.end };
  if (last.text !== "FORMAT" || following === undefined) return undefined;
  const format = sql.slice(following.start, following.end);
  return { format, dataStart: dataStartAfter(sql, following.end) };
}

/**
 * Reads the head of an INSERT whose rows come as data; undefined when they come from a query.
 * The data itself is never looked at.
 * @throws {EngineError} 63 for FROM INFILE, which would read a file of this machine
 */
export function insertStatement(sql: string): InsertDataStatement | undefined {
  const head = headOf(sql);
  if (head.last?.text === "FROM" && head.following?.text === "INFILE") {
    throw refusal("UNKNOWN_TYPE_OF_QUERY", "FROM INFILE is not allowed over HTTP.");
  }
  const data = dataOf(sql, head);
  const settingsEnd = head.last?.start ?? head.end;
  const settings = [head.settingsStart ?? settingsEnd, settingsEnd] as const;
  return data && { kind: "insert-data", targetEnd: head.targetEnd, settings, ...data };
}
