import type { BodyFile, BodyFiles } from "./body-files.ts";
import { refusal } from "./engine-error.ts";
import type { InsertDataStatement, Statement } from "./statement-kinds.ts";
import { parseStatement } from "./statement.ts";

/** A statement as it arrived. `text` holds the SQL (and at most the beginning of the data). */
export type IncomingStatement = {
  statement: Statement;
  text: Buffer;
  /** The rows of an INSERT with data. */
  data: BodyFile | undefined;
};

/** From here on the head of an INSERT must have been seen; ordinary statements are far smaller. */
const FIRST_LOOK_BYTES = 1 << 16;
const MAX_TEXT_BYTES = 1 << 28;

const LINE_BREAK = Buffer.from("\n");

function blank(bytes: Buffer): boolean {
  return bytes.toString("latin1").trim() === "";
}

function asInsertWithData(text: Buffer): InsertDataStatement | undefined {
  const statement = parseStatement(text.toString("latin1"));
  return statement.kind === "insert-data" ? statement : undefined;
}

/**
 * The statement of the URL, when all of the body is its data. Without VALUES or FORMAT the body may
 * continue the statement.
 */
function insertOfUrl(url: Buffer): InsertDataStatement | undefined {
  const insert = blank(url) ? undefined : asInsertWithData(url);
  return insert?.format === undefined ? undefined : insert;
}

async function store(
  chunks: AsyncIterable<Buffer>,
  first: Buffer,
  files: BodyFiles,
): Promise<BodyFile> {
  const file = files.create();
  try {
    if (first.length > 0) await file.append(first);
    for await (const chunk of chunks) await file.append(chunk);
    file.finish();
    return file;
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** The head of an INSERT, once enough of the text is there to be sure where its data begins. */
function headWithin(text: Buffer): InsertDataStatement | undefined {
  if (!/^\s*(?:INSERT|--|\/\*|#)/i.test(text.toString("latin1", 0, 4096))) return undefined;
  const insert = asInsertWithData(text);
  return insert !== undefined && insert.dataStart + 64 < text.length ? insert : undefined;
}

async function fromBody(
  source: AsyncIterator<Buffer, unknown>,
  rest: AsyncIterable<Buffer>,
  url: Buffer,
  files: BodyFiles,
): Promise<IncomingStatement> {
  let text = blank(url) ? Buffer.alloc(0) : Buffer.concat([url, LINE_BREAK]);
  let lookAgainAt = FIRST_LOOK_BYTES;
  let parts: Buffer[] = [];
  let size = text.length;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    parts.push(next.value);
    size += next.value.length;
    if (size < lookAgainAt) continue;
    if (size > MAX_TEXT_BYTES) throw refusal("SYNTAX_ERROR", "The statement is too large.");
    text = Buffer.concat([text, ...parts]);
    parts = [];
    const insert = headWithin(text);
    if (insert !== undefined) {
      return {
        statement: insert,
        text,
        data: await store(rest, text.subarray(insert.dataStart), files),
      };
    }
    lookAgainAt = size * 2;
  }
  text = Buffer.concat([text, ...parts]);
  const statement = parseStatement(text.toString("latin1"));
  if (statement.kind !== "insert-data") return { statement, text, data: undefined };
  const data = await store(rest, text.subarray(statement.dataStart), files);
  return { statement, text, data };
}

/**
 * Takes a statement from a URL's `query` and a body, which follows it as on a server. Rows go to a
 * file as they come, byte for byte; nothing is decoded.
 * @throws {EngineError} for what can't be a statement; the body's own errors when its sender goes
 */
export async function receiveStatement(
  urlQuery: string,
  body: AsyncIterable<Buffer>,
  files: BodyFiles,
): Promise<IncomingStatement> {
  const url = Buffer.from(urlQuery, "utf8");
  const insert = insertOfUrl(url);
  const iterator: AsyncIterator<Buffer, unknown> = body[Symbol.asyncIterator]();
  const rest: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => iterator };
  if (insert === undefined) return fromBody(iterator, rest, url, files);
  const inline = url.subarray(insert.dataStart);
  const first = blank(inline) ? Buffer.alloc(0) : Buffer.concat([inline, LINE_BREAK]);
  return { statement: insert, text: url, data: await store(rest, first, files) };
}
