import { unlinkSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

import { authenticate } from "./authentication.ts";
import { Cancellation } from "./cancellation.ts";
import { toEngineError } from "./engine-error.ts";
import type { Engine } from "./engine.ts";
import { type IncomingStatement, receiveStatement } from "./incoming-statement.ts";
import { preambleOf } from "./preamble.ts";
import { QueryResponse } from "./query-response.ts";
import type { QuerySlots } from "./query-slots.ts";
import { acceptedCoding, bodyOf, formOf, isForm } from "./request-body.ts";
import { type RequestOptions, queryIdOf, readOptions } from "./request-options.ts";
import type { ResultPipes } from "./result-pipes.ts";
import { type Finish, runStatement } from "./run-statement.ts";

/** Everything a request is served with. */
export type QueryServices = {
  engine: Engine;
  password: string;
  timezone: string;
  slots: QuerySlots;
  pipes: ResultPipes;
};

type Received = { options: RequestOptions; incoming: IncomingStatement };

async function receive(request: IncomingMessage, query: URLSearchParams): Promise<Received> {
  if (!isForm(request)) {
    const options = readOptions(query, request.headers);
    const incoming = await receiveStatement(query.get("query") ?? "", bodyOf(request));
    return { options, incoming };
  }
  const fields = await formOf(request);
  const text = fields.find(([name]) => name === "query")?.[1] ?? query.get("query") ?? "";
  const options = readOptions(query, request.headers, fields);
  return { options, incoming: await receiveStatement(text, nothing()) };
}

async function* nothing(): AsyncGenerator<Buffer, void, undefined> {
  // A form holds everything already.
}

type Execution = {
  request: IncomingMessage;
  received: Received;
  response: QueryResponse;
  cancellation: Cancellation;
};

async function execute(services: QueryServices, execution: Execution): Promise<Finish> {
  const { engine, slots, pipes } = services;
  const { request, received, response, cancellation } = execution;
  const { incoming, options } = received;
  const slot = await slots.take();
  try {
    cancellation.signal.throwIfAborted();
    const connection = engine.connect();
    try {
      const readonly = request.method === "GET" || request.method === "HEAD";
      for (const sql of preambleOf(options, readonly)) await connection.query(sql);
      const { defaultFormat } = options;
      const openPipe = () => pipes.open(slot);
      const run = { connection, incoming, defaultFormat, cancellation, response, openPipe };
      return await runStatement(run);
    } finally {
      connection.close();
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

/** Serves one statement over HTTP, from credentials to the last byte. */
export async function handleQuery(
  services: QueryServices,
  request: IncomingMessage,
  serverResponse: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  const { engine, timezone } = services;
  const base = { response: serverResponse, timezone, waitForEnd: false, coding: undefined };
  let response = new QueryResponse({ ...base, queryId: queryIdOf(query) });
  let received: Received | undefined;
  const cancellation = new Cancellation(engine);
  const cancelling: Promise<void>[] = [];
  serverResponse.once("close", () => {
    if (!serverResponse.writableFinished) cancelling.push(stop(cancellation, received));
  });
  try {
    authenticate(request.headers, query, services.password);
    received = await receive(request, query);
    const { options } = received;
    const { queryId, waitForEnd, compressResponse } = options;
    const coding = compressResponse
      ? acceptedCoding(request.headers["accept-encoding"])
      : undefined;
    response = new QueryResponse({ ...base, queryId, waitForEnd, coding });
    const finish = await execute(services, { request, received, response, cancellation });
    finish();
  } catch (error) {
    if (!cancellation.signal.aborted) response.fail(toEngineError(error));
  } finally {
    if (received?.incoming.data !== undefined) unlinkSync(received.incoming.data);
    // An unread body would keep its sender waiting.
    if (!request.complete) request.resume();
    await Promise.all(cancelling);
  }
}
