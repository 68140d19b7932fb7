import { type Cancellation, killStatement } from "./cancellation.ts";
import { multiStatements } from "./engine-error.ts";
import type { EngineConnection } from "./engine.ts";
import type { IncomingStatement } from "./incoming-statement.ts";
import { checkedFormat } from "./literals.ts";
import type { NativeResult } from "./native-addon.ts";
import type { QueryResponse, Summary } from "./query-response.ts";
import { renderInsert, renderPlain, renderRows } from "./rendered-sql.ts";
import type { OpenPipe } from "./result-pipes.ts";
import type { InsertDataStatement, RowsStatement } from "./statement-kinds.ts";

/** Ends the answer. Called when the engine is free again: the client may then send its next request. */
export type Finish = () => void;

export type Run = {
  connection: EngineConnection;
  incoming: IncomingStatement;
  defaultFormat: string;
  cancellation: Cancellation;
  response: QueryResponse;
  openPipe: () => OpenPipe;
};

/** The engine's own count is a second opinion on what the lexer allowed. */
async function refuseSeveralStatements(connection: EngineConnection, sql: string): Promise<void> {
  if ((await connection.countStatements(sql)) > 1) throw multiStatements();
}

function summaryOfResult({ rowsRead, bytesRead }: NativeResult): Summary {
  return {
    read_rows: rowsRead,
    read_bytes: bytesRead,
    result_rows: rowsRead,
    result_bytes: bytesRead,
  };
}

async function runRows(run: Run, statement: RowsStatement): Promise<Finish> {
  const { connection, cancellation, response } = run;
  const format = checkedFormat(statement.format ?? run.defaultFormat);
  const pipe = run.openPipe();
  const target = { pipe: pipe.name, format, comment: cancellation.comment };
  const sql = renderRows(run.incoming.text, statement, target);
  const outcome = refuseSeveralStatements(connection, sql)
    .then(() => connection.query(sql))
    .finally(pipe.finishWriting);
  const [passedOn, result] = await Promise.allSettled([
    passOn(pipe, (bytes) => response.write(bytes, format, cancellation.signal)),
    outcome,
  ]);
  pipe.reader.destroy();
  if (result.status === "rejected") throw result.reason;
  if (passedOn.status === "rejected") throw passedOn.reason;
  return () => response.end(format, summaryOfResult(result.value));
}

/**
 * Passes a result on until its end. After a failure the rest is read and dropped: the
 * engine would wait for ever for the reader of a pipe that it is about to open.
 * @throws what `take` threw first
 */
async function passOn(pipe: OpenPipe, take: (bytes: Buffer) => Promise<void>): Promise<void> {
  let failure: Error | undefined;
  for await (const chunk of pipe.reader) {
    const bytes: unknown = chunk;
    if (failure !== undefined || !Buffer.isBuffer(bytes)) continue;
    await take(bytes).catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
  }
  if (failure !== undefined) throw failure;
}

async function runInsert(run: Run, statement: InsertDataStatement): Promise<Finish> {
  const { connection, incoming, cancellation, response } = run;
  if (incoming.data === undefined) throw new Error("An INSERT with data has no data");
  const format = checkedFormat(
    statement.format ?? (run.defaultFormat === "TabSeparated" ? "Values" : run.defaultFormat),
  );
  const source = { file: incoming.data, format, comment: cancellation.comment };
  const sql = renderInsert(incoming, statement, source);
  await refuseSeveralStatements(connection, sql);
  const { rowsWritten, bytesWritten } = await connection.write(sql);
  const written = { written_rows: rowsWritten, written_bytes: bytesWritten };
  const read = { read_rows: rowsWritten, read_bytes: bytesWritten };
  return () => response.end(run.defaultFormat, { ...written, ...read });
}

async function runPlain(run: Run, end: number, writes: boolean): Promise<Finish> {
  const { connection, incoming, cancellation, response } = run;
  const isKill = /^\s*KILL\b/i.test(incoming.text.toString("latin1", 0, 64));
  const text = isKill
    ? Buffer.from(killStatement(incoming.text.toString("latin1")), "latin1")
    : incoming.text;
  const sql = renderPlain(text, isKill ? text.length : end, cancellation.comment);
  await refuseSeveralStatements(connection, sql);
  if (writes) {
    const { rowsWritten, bytesWritten } = await connection.write(sql);
    const written = { written_rows: rowsWritten, written_bytes: bytesWritten };
    return () => response.end(run.defaultFormat, written);
  }
  const result = await connection.query(sql, run.defaultFormat);
  await response.write(Buffer.from(result.bytes), run.defaultFormat, cancellation.signal);
  return () => response.end(run.defaultFormat, summaryOfResult(result));
}

/**
 * Runs a statement and passes its result on, up to its end.
 * @throws what the engine or this interface refuses; the caller answers with it
 */
export function runStatement(run: Run): Promise<Finish> {
  const { statement } = run.incoming;
  if (statement.kind === "rows") return runRows(run, statement);
  if (statement.kind === "insert-data") return runInsert(run, statement);
  return runPlain(run, statement.end, statement.kind === "insert-select");
}
