import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { v7 as uuidV7 } from "uuid";

import { canonicalJson, type Json } from "./canonical-json.ts";
import { type AppendRow, combinerOf } from "./combine-appends.ts";
import { encodeEvent, type EventFamily } from "./events.ts";
import { changesTo, type TableChanges } from "./read-model.ts";
import { Cause, type DomainEvent, type Expected } from "./types.ts";

/** Work that follows from the events; opaque ids only, never personal data. */
export type OutboxMessage = {
  readonly name: string;
  readonly payload: Readonly<Record<string, Json>>;
};

/** A timer of the append's stream that is set (again) or cancelled. */
export type TimerChange =
  | { readonly set: string; readonly dueAt: Instant }
  | { readonly cancel: string };

/** Personal data under the key of a data subject. */
export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/** The checkpoint of the process that issued the command, before and after. */
export type ProcessStep = {
  readonly name: string;
  readonly from: { readonly epoch: number; readonly position: number };
  readonly to: { readonly epoch: number; readonly position: number };
};

export type AppendRequest<Event extends DomainEvent> = {
  readonly family: EventFamily<Event>;
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Event[];
  /** Made once per command; its repetition is answered with the stored reply. */
  readonly commandId: string;
  /** SHA-256 of the command, so that another command under the same id is found out. */
  readonly bodyHash: Buffer;
  /** What is answered now and to every repetition. */
  readonly reply: string;
  readonly cause: Cause;
  /** Rows of inline read models; positions count from the first new event. */
  readonly changes?: readonly TableChanges[];
  readonly messages?: readonly OutboxMessage[];
  readonly timers?: readonly TimerChange[];
  /** The state after the events, kept for later loads. */
  readonly snapshot?: {
    readonly definition: string;
    readonly version: number;
    readonly state: Json;
  };
  /** Belongs to every event of this type. */
  readonly sealed?: Sealed & { readonly type: Event["type"] };
  /** When it happened, by the caller's clock; the time of recording otherwise. */
  readonly occurredAt?: Instant;
  readonly process?: ProcessStep;
  /** False lets the commit return before it is on disk; `waitForDisk` follows. */
  readonly durable?: boolean;
};

export type AppendResult =
  | { readonly status: "appended"; readonly firstPosition: number; readonly lastPosition: number }
  | { readonly status: "replayed"; readonly reply: string }
  | { readonly status: "mismatch" | "superseded" }
  | { readonly status: "conflict"; readonly version: number };

/** What one append did, for counters. Holds no content. */
export type AppendObservation = {
  readonly types: readonly string[];
  readonly outcome: AppendResult["status"] | "failed";
  readonly seconds: number;
};

/** A pool of the role that may append, and what observes its appends. */
export type EventStore = {
  readonly sql: Sql;
  readonly observe?: (observation: AppendObservation) => void;
};

const expectedCodes = { absent: -1, present: -2, any: -3 } as const;

/**
 * Appends events to a stream together with the rows that guard later decisions. One statement: the
 * database writes all of it or nothing.
 * @throws ZodError or UnknownEvent when an event does not fit its contract; PostgresError
 */
export async function append<Event extends DomainEvent>(
  store: EventStore,
  request: AppendRequest<Event>,
): Promise<AppendResult> {
  const started = performance.now();
  let outcome: AppendObservation["outcome"] = "failed";
  try {
    const result = await callAppend(store.sql, request);
    outcome = result.status;
    return result;
  } finally {
    store.observe?.({
      types: request.events.map((event) => event.type),
      outcome,
      seconds: (performance.now() - started) / 1000,
    });
  }
}

/**
 * Returns once the disk has everything that was committed before. Writes one record to the database's
 * log and asks for the log up to it (PostgreSQL 17 or newer); concurrent callers share the wait.
 */
export async function waitForDisk(sql: Sql): Promise<void> {
  await sql`select pg_logical_emit_message(false, 'ledger', '', true)`;
}

async function callAppend<Event extends DomainEvent>(
  sql: Sql,
  request: AppendRequest<Event>,
): Promise<AppendResult> {
  const { durable = true } = request;
  const row = await combinerOf(sql).append({ text: JSON.stringify(argumentOf(request)), durable });
  return readResult(row, request.events.length);
}

function argumentOf<Event extends DomainEvent>(request: AppendRequest<Event>): object {
  const { commandId, bodyHash, stream, expected, reply, process } = request;
  return {
    command: commandId,
    body: bodyHash.toString("hex"),
    stream,
    expected: typeof expected === "number" ? expected : expectedCodes[expected],
    events: eventArguments(request),
    reply,
    changes: changesOf(request),
    process: process === undefined ? null : processArgument(process),
  };
}

function processArgument({ name, from, to }: ProcessStep): object {
  return {
    name,
    epoch: from.epoch,
    pos: from.position,
    to_epoch: to.epoch,
    to_pos: to.position,
  };
}

function eventArguments<Event extends DomainEvent>(request: AppendRequest<Event>): object[] {
  const meta = canonicalJson(Cause.parse(request.cause));
  const { sealed, occurredAt: at } = request;
  return request.events.map((event) => {
    const { type, schemaVersion, data } = encodeEvent(request.family, event);
    return {
      id: uuidV7(),
      type,
      sv: schemaVersion,
      data,
      meta,
      ...(at && { at }),
      ...(sealed?.type === type && {
        sealed: sealed.bytes.toString("base64"),
        key_id: sealed.keyId,
      }),
    };
  });
}

/** Rows of the inline read models, the outbox, the timers and the snapshot. */
function changesOf<Event extends DomainEvent>(request: AppendRequest<Event>): TableChanges[] {
  const { stream, changes = [], messages = [], timers = [], snapshot } = request;
  const upsert = messages.map(({ name, payload }) => ({ name, payload, pos: 0 }));
  // Of several changes to one timer the last one counts.
  const last = new Map(timers.map((timer) => ["set" in timer ? timer.set : timer.cancel, timer]));
  const set = [...last.values()].flatMap((timer) =>
    "set" in timer ? [{ stream, name: timer.set, due_at: timer.dueAt, pos: 0 }] : [],
  );
  const cancelled = [...last.values()].flatMap((timer) =>
    "cancel" in timer ? [{ stream, name: timer.cancel }] : [],
  );
  const kept = snapshot === undefined ? [] : [{ stream, ...snapshot, pos: 0 }];
  return [
    ...changes,
    ...changesTo("outbox", upsert),
    ...changesTo("due_timer", set, cancelled),
    ...changesTo("snapshot", kept),
  ];
}

function readResult(row: AppendRow, events: number): AppendResult {
  switch (row.outcome) {
    case "appended": {
      const { first_position: firstPosition, last_position: lastPosition } = row;
      if (firstPosition === null || lastPosition === null) break;
      if (lastPosition - firstPosition + 1 !== events) break;
      return { status: "appended", firstPosition, lastPosition };
    }
    case "replayed":
      if (row.answer === null) break;
      return { status: "replayed", reply: row.answer };
    case "mismatch":
    case "superseded":
      return { status: row.outcome };
    case "conflict":
      if (row.new_version === null) break;
      return { status: "conflict", version: row.new_version };
  }
  throw new Error(`ledger.append returned ${row.outcome} without its values`);
}
