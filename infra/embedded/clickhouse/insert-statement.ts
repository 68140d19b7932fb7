import { refusal } from "./engine-error.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";
import type { InsertDataStatement } from "./statement-kinds.ts";

const QUERY_STARTS = new Set(["SELECT", "WITH", "WATCH", "FROM"]);

type Clauses = {
  targetEnd: number;
  settingsStart: number | undefined;
  /** The word that ends the head: VALUES, FORMAT, a query's first word, or nothing. */
  last: Token | undefined;
  headEnd: number;
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

type Placed = { token: Token; depth: number; previous: Token | undefined };

function* withDepth(tokens: Iterable<Token>, startDepth: number): Generator<Placed, void> {
  let depth = startDepth;
  let previous: Token | undefined;
  for (const token of tokens) {
    if (token.kind === "close") depth -= 1;
    yield { token, depth, previous };
    if (token.kind === "open") depth += 1;
    previous = token;
  }
}

function endsHead({ token, depth, previous }: Placed): boolean {
  if (token.kind !== "word" || previous?.text === ".") return false;
  if (depth === 0) {
    return token.text === "FORMAT" || token.text === "VALUES" || QUERY_STARTS.has(token.text);
  }
  const isSubquery = depth === 1 && previous?.kind === "open";
  return isSubquery && (token.text === "SELECT" || token.text === "WITH");
}

function clausesOf(sql: string): Clauses {
  const tokens = tokensOf(sql);
  const target = skipToTarget(tokens);
  const end = target?.end ?? sql.length;
  const clauses: Clauses = {
    targetEnd: end,
    settingsStart: undefined,
    last: undefined,
    headEnd: end,
  };
  for (const placed of withDepth(tokens, target?.kind === "open" ? 1 : 0)) {
    const { token, depth } = placed;
    if (endsHead(placed)) return { ...clauses, last: token };
    if (token.kind === "semicolon" && depth === 0) return clauses;
    if (depth === 0 && token.text === "SETTINGS") clauses.settingsStart ??= token.start;
    if (clauses.settingsStart === undefined) clauses.targetEnd = token.end;
    clauses.headEnd = token.end;
  }
  return clauses;
}

/** The token that follows a place in a text. */
function tokenAfter(sql: string, at: number): Token | undefined {
  const [token] = tokensOf(sql.slice(at));
  return token && { ...token, start: token.start + at, end: token.end + at };
}

/** Data begins after the format's name, blanks, and one line break. */
const BEFORE_DATA = /[ \t\f]*;?[ \t\f]*\r?\n?/y;

function dataStartAfter(sql: string, at: number): number {
  BEFORE_DATA.lastIndex = at;
  return BEFORE_DATA.test(sql) ? BEFORE_DATA.lastIndex : at;
}

type Data = { format: string | undefined; dataStart: number };

/** Where the data begins and in which format, by what ends the head. */
function dataOf(
  sql: string,
  { last, headEnd }: Clauses,
  following: Token | undefined,
): Data | undefined {
  if (last === undefined) return { format: undefined, dataStart: dataStartAfter(sql, headEnd) };
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
  const clauses = clausesOf(sql);
  const { targetEnd, settingsStart, last, headEnd } = clauses;
  const following = last && tokenAfter(sql, last.end);
  if (last?.text === "FROM" && following?.text === "INFILE") {
    const message = "FROM INFILE is not allowed over HTTP.";
    throw refusal("UNKNOWN_TYPE_OF_QUERY", message);
  }
  const data = dataOf(sql, clauses, following);
  const settingsEnd = last?.start ?? headEnd;
  const settings = [settingsStart ?? settingsEnd, settingsEnd] as const;
  return data && { kind: "insert-data", targetEnd, settings, ...data };
}
