import type { Cancellation } from "./cancellation.ts";
import type { EngineConnection } from "./engine.ts";
import { CODE, refusal, toEngineError } from "./engine-error.ts";
import type { IncomingStatement } from "./incoming-statement.ts";
import type { NativeResult } from "./native-addon.ts";
import { EMPTY_SUMMARY, type QueryResponse, type Summary } from "./query-response.ts";
import { checkedFormat, renderInsert, renderPlain, renderRows } from "./rendered-sql.ts";
import type { OpenPipe } from "./result-pipes.ts";
import type { InsertDataStatement, RowsStatement } from "./statement.ts";

export type Run = {
  connection: EngineConnection;
  incoming: IncomingStatement;
  defaultFormat: string;
  cancellation: Cancellation;
  response: QueryResponse;
  openPipe: () => OpenPipe;
};

/** The engine's own count is the second opinion on what this side's reading allowed. */
async function refuseSeveralStatements(connection: EngineConnection, sql: string): Promise<void> {
  if ((await connection.countStatements(sql)) <= 1) return;
  throw refusal(CODE.syntaxError, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed): one statement per request.");
}

function summaryOfResult(result: NativeResult): Summary {
  const rows = { readRows: result.rowsRead, readBytes: result.bytesRead };
  return { ...EMPTY_SUMMARY, ...rows, resultRows: result.rowsRead, resultBytes: result.bytesRead };
}

async function runRows(run: Run, statement: RowsStatement): Promise<void> {
  const { connection, cancellation, response } = run;
  const format = checkedFormat(statement.format ?? run.defaultFormat);
  const pipe = run.openPipe();
  const target = { pipe: pipe.name, format, comment: cancellation.comment };
  const sql = renderRows(run.incoming.text, statement, target);
  const stopReading = (): void => void pipe.reader.destroy();
  cancellation.signal.addEventListener("abort", stopReading);
  const outcome = refuseSeveralStatements(connection, sql)
    .then(() => connection.query(sql))
    .finally(pipe.finishWriting);
  // Awaited below; until then its rejection is not unhandled.
  outcome.catch(() => undefined);
  try {
    for await (const chunk of pipe.reader) {
      const bytes: unknown = chunk;
      if (Buffer.isBuffer(bytes)) await response.write(bytes, format, cancellation.signal);
    }
  } catch (error) {
    if (!cancellation.signal.aborted) throw error;
  } finally {
    pipe.reader.destroy();
    // Whatever became of the reader: the pipe and the connection are in use until this settles.
    await outcome.catch(() => undefined);
  }
  response.end(format, summaryOfResult(await outcome));
}

async function runInsert(run: Run, statement: InsertDataStatement): Promise<void> {
  const { connection, incoming, cancellation, response } = run;
  if (incoming.data === undefined) throw new Error("An INSERT with data has no data");
  const format = checkedFormat(statement.format ?? (run.defaultFormat === "TabSeparated" ? "Values" : run.defaultFormat));
  const source = { file: incoming.data.name, format, comment: cancellation.comment };
  const sql = renderInsert(incoming, statement, source);
  await refuseSeveralStatements(connection, sql);
  const { rowsWritten, bytesWritten } = await connection.write(sql);
  const counts = { writtenRows: rowsWritten, writtenBytes: bytesWritten };
  const read = { readRows: rowsWritten, readBytes: bytesWritten };
  response.end(run.defaultFormat, { ...EMPTY_SUMMARY, ...counts, ...read });
}

async function runPlain(run: Run, end: number, writes: boolean): Promise<void> {
  const { connection, incoming, cancellation, response } = run;
  const sql = renderPlain(incoming.text, end, cancellation.comment);
  await refuseSeveralStatements(connection, sql);
  if (writes) {
    const { rowsWritten, bytesWritten } = await connection.write(sql);
    const counts = { writtenRows: rowsWritten, writtenBytes: bytesWritten };
    return response.end(run.defaultFormat, { ...EMPTY_SUMMARY, ...counts });
  }
  const result = await connection.query(sql, run.defaultFormat);
  await response.write(Buffer.from(result.bytes), run.defaultFormat, cancellation.signal);
  response.end(run.defaultFormat, summaryOfResult(result));
}

/**
 * Runs a statement and answers with its result.
 * @throws {EngineError} what the engine or this side refuses; the caller answers with it
 */
export async function runStatement(run: Run): Promise<void> {
  const { statement } = run.incoming;
  try {
    if (statement.kind === "rows") await runRows(run, statement);
    else if (statement.kind === "insert-data") await runInsert(run, statement);
    else await runPlain(run, statement.end, statement.kind === "insert-select");
  } catch (error) {
    throw toEngineError(error);
  }
}
