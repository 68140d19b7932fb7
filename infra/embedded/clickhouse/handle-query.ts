import type { IncomingMessage, ServerResponse } from "node:http";

import { authenticate } from "./authentication.ts";
import type { BodyFiles } from "./body-files.ts";
import { Cancellation } from "./cancellation.ts";
import { acceptedCoding } from "./content-coding.ts";
import { CODE, refusal, toEngineError } from "./engine-error.ts";
import type { Engine } from "./engine.ts";
import { type IncomingStatement, receiveStatement } from "./incoming-statement.ts";
import { preambleOf, undoOf } from "./preamble.ts";
import { QueryResponse } from "./query-response.ts";
import type { QuerySlots } from "./query-slots.ts";
import { bodyOf, formOf, isForm } from "./request-body.ts";
import { type RequestOptions, readOptions } from "./request-options.ts";
import type { ResultPipes } from "./result-pipes.ts";
import { type Finish, runStatement } from "./run-statement.ts";
import type { Lease, Sessions } from "./sessions.ts";

/** Everything a request is served with. */
export type QueryServices = {
  engine: Engine;
  password: string;
  timezone: string;
  slots: QuerySlots;
  pipes: ResultPipes;
  sessions: Sessions;
  files: BodyFiles;
};

type Received = { options: RequestOptions; incoming: IncomingStatement };

async function receive(
  request: IncomingMessage,
  query: URLSearchParams,
  files: BodyFiles,
): Promise<Received> {
  if (!isForm(request)) {
    const options = readOptions(query, request.headers);
    return {
      options,
      incoming: await receiveStatement(query.get("query") ?? "", bodyOf(request), files),
    };
  }
  const fields = await formOf(request);
  const text = fields.find(([name]) => name === "query")?.[1] ?? query.get("query") ?? "";
  const options = readOptions(query, request.headers, fields);
  return { options, incoming: await receiveStatement(text, nothing(), files) };
}

async function* nothing(): AsyncGenerator<Buffer, void, undefined> {
  // A form holds everything already.
}

/** GET must not change anything. In a session the level would stick, so the kind of statement decides. */
function refuseWriteByGet(lease: Lease, incoming: IncomingStatement): void {
  const { statement } = incoming;
  const harmless =
    statement.kind === "rows" || (statement.kind === "command" && statement.keyword === "SET");
  if (!lease.lasting || harmless) return;
  throw refusal(
    CODE.readonly,
    "READONLY",
    "Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries.",
  );
}

async function runOn(
  lease: Lease,
  { options, incoming }: Received,
  readonly: boolean,
  run: () => Promise<Finish>,
): Promise<Finish> {
  const { connection, lasting } = lease;
  if (readonly) refuseWriteByGet(lease, incoming);
  const undo = lasting ? await undoOf(connection, options) : [];
  try {
    for (const sql of preambleOf(options, readonly && !lasting)) await connection.query(sql);
    return await run();
  } finally {
    for (const sql of undo) await connection.query(sql);
  }
}

type Execution = {
  request: IncomingMessage;
  received: Received;
  response: QueryResponse;
  cancellation: Cancellation;
};

async function execute(services: QueryServices, execution: Execution): Promise<Finish> {
  const { slots, pipes, sessions } = services;
  const { request, received, response, cancellation } = execution;
  const { incoming, options } = received;
  const slot = await slots.take();
  try {
    cancellation.signal.throwIfAborted();
    const lease = sessions.lease(options);
    const { connection } = lease;
    const { defaultFormat } = options;
    const readonly = request.method === "GET" || request.method === "HEAD";
    const openPipe = () => pipes.open(slot);
    const run = { connection, incoming, defaultFormat, cancellation, response, openPipe };
    try {
      return await runOn(lease, received, readonly, () => runStatement(run));
    } finally {
      lease.release();
    }
  } finally {
    cancellation.settle();
    slots.release(slot);
  }
}

/** As on a server, only what reads is stopped when its client has gone: a write is finished. */
function stop(cancellation: Cancellation, received: Received | undefined): Promise<void> {
  return cancellation.cancel(received?.incoming.statement.kind === "rows");
}

function queryIdHeader(query: URLSearchParams): string {
  return (query.get("query_id") ?? "").replaceAll(/[^\x20-\x7e]/g, "?");
}

/** Serves one statement over HTTP, from credentials to the last byte. */
export async function handleQuery(
  services: QueryServices,
  request: IncomingMessage,
  serverResponse: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  const { engine, timezone, files } = services;
  const base = { response: serverResponse, timezone, waitForEnd: false, coding: undefined };
  let response = new QueryResponse({ ...base, queryId: queryIdHeader(query) });
  let received: Received | undefined;
  const cancellation = new Cancellation(engine);
  const cancelling: Promise<void>[] = [];
  serverResponse.once("close", () => {
    if (!serverResponse.writableFinished) cancelling.push(stop(cancellation, received));
  });
  try {
    authenticate(request.headers, query, services.password);
    received = await receive(request, query, files);
    const { options } = received;
    const { queryId, waitForEnd, compressResponse } = options;
    const coding = compressResponse
      ? acceptedCoding(request.headers["accept-encoding"])
      : undefined;
    response = new QueryResponse({
      response: serverResponse,
      timezone,
      queryId,
      waitForEnd,
      coding,
    });
    const finish = await execute(services, { request, received, response, cancellation });
    finish();
  } catch (error) {
    if (!cancellation.signal.aborted) response.fail(toEngineError(error));
  } finally {
    received?.incoming.data?.discard();
    // A body that nobody reads would keep its sender waiting.
    if (!request.complete) request.resume();
    await Promise.all(cancelling);
  }
}
