import { unlinkSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

import { authenticate, type Sender } from "./authentication.ts";
import { Cancellation } from "./cancellation.ts";
import { refusal, toEngineError } from "./engine-error.ts";
import type { Engine, EngineConnection } from "./engine.ts";
import {
  createExternalTables,
  type ExternalTable,
  externalTables,
  forgetExternalTables,
} from "./external-tables.ts";
import { type IncomingStatement, receiveStatement } from "./incoming-statement.ts";
import { stringLiteral } from "./literals.ts";
import { preambleOf } from "./preamble.ts";
import { QueryResponse } from "./query-response.ts";
import type { QuerySlots } from "./query-slots.ts";
import { acceptedCoding, bodyOf, formOf, isForm } from "./request-body.ts";
import { type RequestOptions, queryIdOf, readOptions } from "./request-options.ts";
import type { ResultPipes } from "./result-pipes.ts";
import { type Finish, runStatement } from "./run-statement.ts";
import type { Sessions } from "./sessions.ts";
import { isAboutUsers, refuseBeyondRights, USER, type Users } from "./users.ts";

/** Everything a request is served with. */
export type QueryServices = {
  engine: Engine;
  /** Of the user `default`. */
  password: string;
  users: Users;
  sessions: Sessions;
  timezone: string;
  slots: QuerySlots;
  pipes: ResultPipes;
};

type Received = {
  sender: Sender;
  options: RequestOptions;
  incoming: IncomingStatement;
  tables: ExternalTable[];
};

async function receive(
  sender: Sender,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Received> {
  if (!isForm(request)) {
    const options = readOptions(query, request.headers);
    const incoming = await receiveStatement(query.get("query") ?? "", bodyOf(request));
    return { sender, options, incoming, tables: [] };
  }
  const { fields, files } = await formOf(request);
  const text = fields.find(([name]) => name === "query")?.[1] ?? query.get("query") ?? "";
  const names = files.map(({ name }) => name);
  const options = readOptions(query, request.headers, fields, names);
  const incoming = await receiveStatement(text, nothing());
  return { sender, options, incoming, tables: externalTables(files, query) };
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

const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

async function execute(services: QueryServices, execution: Execution): Promise<Finish> {
  const { engine, slots, sessions } = services;
  const { received, cancellation } = execution;
  const { session } = received.options;
  const slot = await slots.take();
  try {
    cancellation.signal.throwIfAborted();
    const key = JSON.stringify([received.sender.name, session?.id]);
    const connection =
      session === undefined
        ? engine.connect()
        : sessions.take(key, session, () => engine.connect());
    try {
      return await executeOn(connection, services, execution, slot);
    } finally {
      if (session === undefined) connection.close();
      else sessions.giveBack(key, session);
    }
  } finally {
    cancellation.settle();
    slots.release(slot);
  }
}

async function executeOn(
  connection: EngineConnection,
  { pipes }: QueryServices,
  { request, received, response, cancellation }: Execution,
  slot: number,
): Promise<Finish> {
  const { sender, incoming, options, tables } = received;
  const { defaultFormat, progressEveryMs, session } = options;
  const readonly = isReading(request);
  if (readonly && session !== undefined && incoming.statement.kind !== "rows") {
    throw refusal("READONLY", "A GET of a session reads.");
  }
  await createExternalTables(connection, tables);
  const preamble = preambleOf(options, { readonly, user: sender.user });
  for (const sql of preamble) await connection.query(sql);
  const openPipe = () => pipes.open(slot);
  const run = { connection, incoming, defaultFormat, cancellation, response, openPipe };
  const report = setInterval(
    () => {
      cancellation.progress().then(
        (progress) => progress && response.sendProgress(progress),
        () => undefined,
      );
    },
    progressEveryMs ?? 2 ** 31 - 1,
  );
  try {
    return await runStatement(run);
  } finally {
    clearInterval(report);
    const reset = session === undefined ? [] : options.settings;
    for (const [name] of reset)
      await connection.query(`SET ${name} = DEFAULT`).catch(() => undefined);
  }
}

/** Executes a statement about users and roles, with no other in the engine. */
async function changeUsers(
  { engine, slots, sessions, users }: QueryServices,
  { options, incoming }: Received,
  response: QueryResponse,
): Promise<Finish> {
  await slots.alone(async () => {
    const text = stringLiteral(incoming.text.toString("utf8"));
    const { bytes } = await engine.root.query(`SELECT formatQuerySingleLine(${text})`, "TSVRaw");
    const sql = Buffer.from(bytes).toString("utf8").trim();
    await users.execute(sql, options.database ?? USER, (engineOptions) => {
      sessions.endAll();
      return engine.reopen(engineOptions);
    });
  });
  return () => response.end(options.defaultFormat, {});
}

/** As on a server, only what reads is stopped when its client has gone: a write is finished. */
function stop(cancellation: Cancellation, received: Received | undefined): Promise<void> {
  return cancellation.cancel(received?.incoming.statement.kind === "rows");
}

function respond(services: QueryServices, execution: Execution): Promise<Finish> {
  const { sender, incoming, tables } = execution.received;
  const { kind } = incoming.statement;
  // Data of an insert is no part of the statement.
  const sql = kind === "insert-data" ? "" : incoming.text.toString("latin1");
  if (sender.user !== undefined) {
    refuseBeyondRights(sql);
    if (isAboutUsers(sql)) throw refusal("ACCESS_DENIED", "Not enough privileges.");
    if (tables.length > 0) throw refusal("ACCESS_DENIED", "External tables are for `default`.");
  } else if (kind === "command" && !isReading(execution.request) && isAboutUsers(sql)) {
    return changeUsers(services, execution.received, execution.response);
  }
  return execute(services, execution);
}

/** Serves one statement over HTTP, from credentials to the last byte. */
export async function handleQuery(
  services: QueryServices,
  request: IncomingMessage,
  serverResponse: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  const { engine, timezone } = services;
  const queryId = queryIdOf(query);
  const base = { response: serverResponse, timezone, queryId };
  let response = new QueryResponse({ ...base, waitForEnd: false, coding: undefined });
  let received: Received | undefined;
  const cancellation = new Cancellation(engine, queryId);
  const cancelling: Promise<void>[] = [];
  serverResponse.once("close", () => {
    if (!serverResponse.writableFinished) cancelling.push(stop(cancellation, received));
  });
  try {
    const sender = authenticate(request.headers, query, services);
    received = await receive(sender, request, query);
    const { waitForEnd, compressResponse } = received.options;
    const coding = compressResponse
      ? acceptedCoding(request.headers["accept-encoding"])
      : undefined;
    response = new QueryResponse({ ...base, waitForEnd, coding });
    const finish = await respond(services, { request, received, response, cancellation });
    finish();
  } catch (error) {
    if (!cancellation.signal.aborted) response.fail(toEngineError(error));
  } finally {
    if (received?.incoming.data !== undefined) unlinkSync(received.incoming.data);
    forgetExternalTables(received?.tables ?? []);
    // An unread body would keep its sender waiting.
    if (!request.complete) request.resume();
    await Promise.all(cancelling);
  }
}
