import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";

import { refusal } from "./engine-error.ts";
import type { InsertDataStatement, Statement } from "./statement-kinds.ts";
import { parseStatement } from "./statement.ts";

/** A statement as it arrived. `text` holds the SQL (and at most the beginning of the data). */
export type IncomingStatement = {
  statement: Statement;
  text: Buffer;
  /** The file with the rows of an INSERT with data; the receiver deletes it. */
  data: string | undefined;
};

/** Within this the head of an INSERT is found, or all of the body is read before it is looked for. */
const HEAD_BYTES = 1 << 16;
const TEXT_BYTES_MAX = 1 << 28;

const LINE_BREAK = Buffer.from("\n");

let fileCount = 0;

function blank(bytes: Buffer): boolean {
  return bytes.toString("latin1").trim() === "";
}

function asInsertWithData(text: Buffer): InsertDataStatement | undefined {
  const statement = parseStatement(text.toString("latin1"));
  return statement.kind === "insert-data" ? statement : undefined;
}

/** The head of an INSERT, if the beginning of a text is enough to be sure where its data begins. */
function headWithin(text: Buffer): InsertDataStatement | undefined {
  if (!/^\s*(?:INSERT|--|\/\*|#)/i.test(text.toString("latin1", 0, 4096))) return undefined;
  const insert = asInsertWithData(text);
  return insert !== undefined && insert.dataStart + 64 < text.length ? insert : undefined;
}

/**
 * Stores rows in a file of the working directory, from which the engine reads them. The engine takes
 * data that follows a statement for the next statement as soon as it contains an empty line; from a
 * file it reads exactly the bytes, of every format. A file also lets a body be complete before its
 * first row is stored, however large it is.
 * @returns its name, relative: the engine would expand wildcards in a path
 */
async function storeRows(first: Buffer, rest: AsyncIterable<Buffer>): Promise<string> {
  fileCount += 1;
  const name = `${fileCount}.body`;
  const descriptor = openSync(name, "wx", 0o600);
  try {
    // At once: chunks are small, and an insert needs no thread of the pool then.
    writeFileSync(descriptor, first);
    for await (const chunk of rest) writeFileSync(descriptor, chunk);
    return name;
  } catch (error) {
    unlinkSync(name);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads chunks until there are so many bytes, or no more. */
async function take(chunks: AsyncIterator<Buffer>, first: Buffer, bytes: number): Promise<Buffer> {
  const parts = [first];
  for (let size = first.length; size < bytes;) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(parts);
}

/**
 * Takes a statement from a URL's `query` and a body, which follows it as on a server. Rows go to a
 * file as they come, byte for byte; nothing is decoded.
 * @throws {EngineError} for what can't be a statement; the body's own errors when its sender goes
 */
export async function receiveStatement(
  urlQuery: string,
  body: AsyncIterable<Buffer>,
): Promise<IncomingStatement> {
  const url = Buffer.from(urlQuery, "utf8");
  const ofUrl = blank(url) ? undefined : asInsertWithData(url);
  // Without VALUES or FORMAT the body may continue the statement.
  if (ofUrl?.format !== undefined) {
    const inline = url.subarray(ofUrl.dataStart);
    const first = blank(inline) ? Buffer.alloc(0) : Buffer.concat([inline, LINE_BREAK]);
    return { statement: ofUrl, text: url, data: await storeRows(first, body) };
  }
  const chunks = body[Symbol.asyncIterator]();
  const rest: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => chunks };
  const begun = blank(url) ? Buffer.alloc(0) : Buffer.concat([url, LINE_BREAK]);
  let text = await take(chunks, begun, HEAD_BYTES);
  let statement: Statement | undefined = text.length < HEAD_BYTES ? undefined : headWithin(text);
  if (statement === undefined) {
    text = await take(chunks, text, TEXT_BYTES_MAX);
    if (text.length >= TEXT_BYTES_MAX) throw refusal("SYNTAX_ERROR", "The statement is too large.");
    statement = parseStatement(text.toString("latin1"));
  }
  if (statement.kind !== "insert-data") return { statement, text, data: undefined };
  return { statement, text, data: await storeRows(text.subarray(statement.dataStart), rest) };
}
