/**
 * Splits SQL into tokens as ClickHouse's lexer does, as far as needed to know where strings and
 * comments end. It works on text decoded as latin1, so that every offset is also a byte offset;
 * bytes of UTF-8 count as characters.
 */
export type Token = {
  kind: "word" | "quoted" | "string" | "open" | "close" | "semicolon" | "symbol";
  /** Upper case for words, the character itself for symbols, empty otherwise. */
  text: string;
  start: number;
  end: number;
};

const BLANK = /(?:[\s\0]+|(?:--|#[ !\t])[^\n]*)*/y;

/** What is quoted ends with its quote or with the text; a backslash and doubling escape the quote. */
const TOKENS: readonly (readonly [kind: Token["kind"], pattern: RegExp])[] = [
  ["string", /'(?:[^'\\]+|\\[^]?|'')*(?:'|$)/y],
  ["quoted", /"(?:[^"\\]+|\\[^]?|"")*(?:"|$)|`(?:[^`\\]+|\\[^]?|``)*(?:`|$)/y],
  // Typographic quotes (in UTF-8), and text between marks such as $tag$.
  ["string", /\xe2\x80\x98[^]*?(?:\xe2\x80\x99|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)/y],
  ["quoted", /\xe2\x80\x9c[^]*?(?:\xe2\x80\x9d|$)/y],
  ["word", /[\w\x80-\xff][\w$\x80-\xff]*/y],
  ["open", /[([{]/y],
  ["close", /[)\]}]/y],
  ["semicolon", /;/y],
  ["symbol", /[^]/y],
];

function matchEnd(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
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

function skipBlanks(sql: string, start: number): number {
  let at = matchEnd(BLANK, sql, start);
  while (sql.startsWith("/*", at)) at = matchEnd(BLANK, sql, blockCommentEnd(sql, at));
  return at;
}

function tokenAt(sql: string, start: number): Token {
  for (const [kind, pattern] of TOKENS) {
    const end = matchEnd(pattern, sql, start);
    if (end === start) continue;
    const isQuoted = kind === "string" || kind === "quoted";
    return { kind, text: isQuoted ? "" : sql.slice(start, end).toUpperCase(), start, end };
  }
  throw new Error("There is no token at the end of a text");
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
