/**
 * Splits SQL into tokens as ClickHouse's lexer does, as far as needed to know where strings and
 * comments end. It works on text decoded as latin1, so that every offset is also a byte offset;
 * bytes of UTF-8 count as letters.
 */
export type Token = {
  kind: "word" | "quoted" | "string" | "open" | "close" | "semicolon" | "symbol";
  /** Upper case for words, the character itself for symbols, empty otherwise. */
  text: string;
  start: number;
  end: number;
};

const SPACE = /[\s\0]+/y;
const LINE_COMMENT = /(?:--|#[ !\t])[^\n]*/y;
const WORD = /[\w\x80-\xff][\w$\x80-\xff]*/y;
const HEREDOC = /\$\w*\$/y;
const LEFT_SINGLE = "\xe2\x80\x98";
const RIGHT_SINGLE = "\xe2\x80\x99";
const LEFT_DOUBLE = "\xe2\x80\x9c";
const RIGHT_DOUBLE = "\xe2\x80\x9d";

function matchEnd(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}

function endAfter(sql: string, close: string, from: number): number {
  const found = sql.indexOf(close, from);
  return found === -1 ? sql.length : found + close.length;
}

/** Comments nest, as the SQL standard has it. */
function blockCommentEnd(sql: string, start: number): number {
  let depth = 1;
  let at = start + 2;
  while (at < sql.length && depth > 0) {
    const pair = sql.slice(at, at + 2);
    depth += pair === "/*" ? 1 : pair === "*/" ? -1 : 0;
    at += pair === "/*" || pair === "*/" ? 2 : 1;
  }
  return at;
}

/** Both a backslash and doubling escape the quote. */
function quotedEnd(sql: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < sql.length) {
    if (sql[at] === "\\") at += 2;
    else if (sql[at] !== quote) at += 1;
    else if (sql[at + 1] === quote) at += 2;
    else return at + 1;
  }
  return sql.length;
}

function skipBlanks(sql: string, start: number): number {
  let at = start;
  for (;;) {
    let next = matchEnd(SPACE, sql, at);
    next = matchEnd(LINE_COMMENT, sql, next);
    if (sql.startsWith("/*", next)) next = blockCommentEnd(sql, next);
    if (next === at) return at;
    at = next;
  }
}

function symbolAt(sql: string, start: number): Token {
  const text = sql.charAt(start);
  const end = start + 1;
  if (text === ";") return { kind: "semicolon", text, start, end };
  if ("([{".includes(text)) return { kind: "open", text, start, end };
  if (")]}".includes(text)) return { kind: "close", text, start, end };
  return { kind: "symbol", text, start, end };
}

function tokenAt(sql: string, start: number): Token {
  const first = sql.charAt(start);
  if (first === "'") return { kind: "string", text: "", start, end: quotedEnd(sql, start, "'") };
  if (first === '"' || first === "`") {
    return { kind: "quoted", text: "", start, end: quotedEnd(sql, start, first) };
  }
  if (sql.startsWith(LEFT_SINGLE, start)) {
    return { kind: "string", text: "", start, end: endAfter(sql, RIGHT_SINGLE, start) };
  }
  if (sql.startsWith(LEFT_DOUBLE, start)) {
    return { kind: "quoted", text: "", start, end: endAfter(sql, RIGHT_DOUBLE, start) };
  }
  const heredocStart = first === "$" ? matchEnd(HEREDOC, sql, start) : start;
  if (heredocStart > start) {
    const end = endAfter(sql, sql.slice(start, heredocStart), heredocStart);
    return { kind: "string", text: "", start, end };
  }
  const wordEnd = matchEnd(WORD, sql, start);
  if (wordEnd === start) return symbolAt(sql, start);
  return { kind: "word", text: sql.slice(start, wordEnd).toUpperCase(), start, end: wordEnd };
}

/** The tokens of a text, comments and white space left out. */
export function* tokensOf(sql: string): Generator<Token, void, undefined> {
  let at = skipBlanks(sql, 0);
  while (at < sql.length) {
    const token = tokenAt(sql, at);
    yield token;
    at = skipBlanks(sql, token.end);
  }
}
