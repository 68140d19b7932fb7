import type { Queryable } from "@pro-talent/platform/postgres/pool";

import type { Sealed } from "./append.ts";
import { type EventFamily, readStored, type StoredEvent, storedEventColumns } from "./events.ts";
import type { Decider, Command, DomainEvent, RecordedEvent, StreamEvent } from "./types.ts";

/** What was once answered to a command. */
export type StoredReply = { readonly bodyHash: Buffer; readonly reply: string };

export type LoadedStream<Event extends DomainEvent> = {
  readonly events: readonly RecordedEvent<Event>[];
  /** Number of events; 0 when the stream does not exist. */
  readonly version: number;
  /** The answer to the command asked about, if it was carried out before. */
  readonly answered: StoredReply | undefined;
};

/** An outer join: when `found` is false, there is one row, and its event's columns are null. */
type LoadRow = { body_hash: Buffer | null; reply: string | null; found: boolean } & StoredEvent;

/**
 * A stream in its order, and whether a command was answered before: one statement, hence one
 * snapshot. (Read apart, a command could be missing although its events are there.)
 * @throws UnknownEvent or ZodError when the stream holds what this program cannot read
 */
export async function loadStream<Event extends DomainEvent>(
  sql: Queryable,
  family: EventFamily<Event>,
  stream: string,
  commandId: string | null = null,
): Promise<LoadedStream<Event>> {
  const rows = await sql<LoadRow[]>`
    select c.body_hash, c.reply, e.pos is not null as found, ${storedEventColumns(sql)}
      from (select ${stream}::text as stream) asked
      left join ledger.command c on c.command_id = ${commandId}::uuid
      left join ledger.event e on e.stream = asked.stream
     order by e.version`;
  const bodyHash = rows[0]?.body_hash ?? null;
  const reply = rows[0]?.reply ?? null;
  const answered = bodyHash === null || reply === null ? undefined : { bodyHash, reply };
  const events = rows.flatMap((row) => (row.found ? [readStored(family, row)] : []));
  return { events, version: events.at(-1)?.version ?? 0, answered };
}

/** The state that events of a stream lead to: all of them, or those that follow a state. */
export function stateAfter<State, Event extends DomainEvent>(
  decider: Pick<Decider<State, Command, Event, string>, "evolve" | "initialState">,
  events: readonly StreamEvent<Event>[],
  from: State = decider.initialState,
): State {
  return events.reduce(
    (state, { event, occurredAt }) => decider.evolve(state, event, occurredAt),
    from,
  );
}

/**
 * The sealed part of the newest event of this type that had one; undefined when there was none, or
 * when it was dropped. An earlier one never takes its place.
 */
export async function readSealed(
  sql: Queryable,
  stream: string,
  type: string,
): Promise<Sealed | undefined> {
  const [row] = await sql<{ key_id: string; sealed: Buffer | null }[]>`
    select key_id, sealed from ledger.event
     where stream = ${stream} and type = ${type} and key_id is not null
     order by version desc limit 1`;
  const bytes = row?.sealed ?? undefined;
  return row === undefined || bytes === undefined ? undefined : { keyId: row.key_id, bytes };
}
