import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { v7 as uuidV7 } from "uuid";

import { canonicalJson, type Json } from "./canonical-json.ts";
import type { EventFamily } from "./event-registry.ts";
import { encodeEvent } from "./event-registry.ts";
import type { AppendObservation, EventStore } from "./event-store.ts";
import { foldChanges, type Projection, type RowChange, type TableChanges } from "./projection.ts";
import type { DomainEvent, EventMeta, Expected } from "./types.ts";

/** Work for the queue that follows from the events; opaque ids only, never personal data. */
export type OutboxMessage = {
  readonly name: string;
  readonly payload: Readonly<Record<string, Json>>;
};

/** A clock that an append sets (again), or takes away; it belongs to the append's stream. */
export type TimerChange =
  | { readonly put: { readonly name: string; readonly dueAt: Instant } }
  | { readonly gone: { readonly name: string } };

/** Personal data under the key of a subject. */
export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

export type AppendRequest<Event extends DomainEvent> = {
  readonly family: EventFamily<Event>;
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Event[];
  /** Made by the caller once per command; its repetition is answered with the stored reply. */
  readonly commandId: string;
  /** SHA-256 of the command, so that another command under the same id is found out. */
  readonly bodyHash: Buffer;
  /** What is answered now and to every repetition. */
  readonly reply: string;
  /** Read models that are written in the same transaction. */
  readonly inline: readonly Projection<Event>[];
  readonly messages?: readonly OutboxMessage[];
  readonly timers?: readonly TimerChange[];
  /** Goes with every event of this type. */
  readonly sealed?: Sealed & { readonly type: Event["type"] };
  readonly meta?: EventMeta;
  /** When it happened, if the caller knows; the time of recording otherwise. */
  readonly occurredAt?: Instant;
};

export type AppendResult =
  | { readonly status: "appended"; readonly firstPosition: number; readonly lastPosition: number }
  | { readonly status: "replayed"; readonly reply: string }
  | { readonly status: "mismatch" }
  | { readonly status: "conflict"; readonly version: number };

type AppendRow = {
  status: AppendResult["status"];
  first_pos: number | null;
  last_pos: number | null;
  version: number | null;
  reply: string | null;
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
    const result = await callAppend(store, request);
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

async function callAppend<Event extends DomainEvent>(
  { sql, durable = "with each append" }: EventStore,
  request: AppendRequest<Event>,
): Promise<AppendResult> {
  const { expected } = request;
  const code = typeof expected === "number" ? expected : expectedCodes[expected];
  // Sent as text and read as jsonb by the database: the driver must not encode it a second time.
  // What is set is so for this statement's own commit alone.
  const [row] = await sql<AppendRow[]>`select a.* from ledger.append(
    ${request.commandId}, ${request.bodyHash}, ${request.stream}, ${code},
    ${JSON.stringify(eventArguments(request))}::text::jsonb, ${request.reply},
    ${JSON.stringify(changesOf(request))}::text::jsonb) a,
    set_config('synchronous_commit', case when ${durable === "before the answer"}::boolean
      then 'off' else current_setting('synchronous_commit') end, true)`;
  if (row === undefined) throw new Error("ledger.append answered nothing");
  return readResult(row, request.events.length);
}

function eventArguments<Event extends DomainEvent>(request: AppendRequest<Event>): object[] {
  const meta = canonicalJson(definedOnly(request.meta ?? {}));
  return request.events.map((event) => {
    const { type, schemaVersion, data } = encodeEvent(request.family, event);
    const id = uuidV7();
    const at = request.occurredAt;
    return {
      id,
      type,
      sv: schemaVersion,
      data,
      meta,
      ...(at === undefined ? {} : { at }),
      ...sealedPart(request, type),
    };
  });
}

function sealedPart<Event extends DomainEvent>(
  { sealed }: AppendRequest<Event>,
  type: string,
): { sealed?: string; key_id?: string } {
  return sealed?.type === type
    ? { sealed: sealed.bytes.toString("base64"), key_id: sealed.keyId }
    : {};
}

function definedOnly(meta: EventMeta): Record<string, string> {
  return Object.fromEntries(
    Object.entries(meta).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
  );
}

/** Rows of the inline projections, the outbox and the timers; positions count from the first new event. */
function changesOf<Event extends DomainEvent>(request: AppendRequest<Event>): object[] {
  const changes: object[] = [];
  for (const projection of request.inline) {
    const placed = request.events.flatMap((event, position) =>
      projection.evolve({ event, stream: request.stream }).map((change) => ({ position, change })),
    );
    const folded: TableChanges[] = foldChanges(placed, projection.tables);
    changes.push(...folded);
  }
  const messages = request.messages ?? [];
  if (messages.length > 0) {
    const put = messages.map((message) => ({ ...message, pos: 0 }));
    changes.push({ table: "outbox", put });
  }
  const timers = (request.timers ?? []).map((change) => timerChange(request.stream, change));
  const placed = timers.map((change) => ({ position: 0, change }));
  changes.push(...foldChanges(placed, { due_timer: ["stream", "name"] }));
  return changes;
}

/** Put whole: a timer that fired and is set again has not fired. */
function timerChange(stream: string, change: TimerChange): RowChange {
  if ("gone" in change) return { table: "due_timer", gone: { stream, name: change.gone.name } };
  const { name, dueAt } = change.put;
  return { table: "due_timer", put: { stream, name, due_at: dueAt, fired_at: null } };
}

function readResult(row: AppendRow, events: number): AppendResult {
  switch (row.status) {
    case "appended": {
      const { first_pos: firstPosition, last_pos: lastPosition } = row;
      if (firstPosition === null || lastPosition === null) break;
      if (lastPosition - firstPosition + 1 !== events) break;
      return { status: "appended", firstPosition, lastPosition };
    }
    case "replayed":
      if (row.reply === null) break;
      return { status: "replayed", reply: row.reply };
    case "mismatch":
      return { status: "mismatch" };
    case "conflict":
      if (row.version === null) break;
      return { status: "conflict", version: row.version };
  }
  throw new Error(`ledger.append answered ${row.status} without what belongs to it`);
}
