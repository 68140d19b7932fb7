import { createHash } from "node:crypto";

import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Identifier, SqlText } from "@pro-talent/platform/postgres/statement";
import { z } from "zod";

import type { Sealed } from "./append.ts";
import { type EventFamily, readStored, type StoredEvent, storedEventColumns } from "./events.ts";
import type { HeldRows, ReadModel } from "./read-model.ts";
import {
  Cause,
  type Command,
  type Decider,
  type DomainEvent,
  type RecordedEvent,
  type StreamEvent,
} from "./types.ts";

/** What was once answered to a command. */
export type StoredReply = { readonly bodyHash: Buffer; readonly reply: string };

/** How the state of a kind of stream is kept, so that long streams are read as fast as short ones. */
export type SnapshotDefinition<State> = {
  /** Of its form and its rules; what was kept under another one is not used. */
  readonly definition: string;
  readonly contract: z.ZodType<State>;
};

/** @param version raised when `evolve` leads to other states of the same form */
export function defineSnapshot<State>(
  version: number,
  contract: z.ZodType<State>,
): SnapshotDefinition<State> {
  const form = JSON.stringify([version, z.toJSONSchema(contract, { unrepresentable: "any" })]);
  return { contract, definition: createHash("sha256").update(form).digest("hex") };
}

/** What is needed to read the state of a stream. */
export type StateDefinition<State, Event extends DomainEvent> = {
  readonly events: EventFamily<Event>;
  readonly decider: Pick<Decider<State, Command, Event, string>, "evolve" | "initialState">;
  readonly snapshot?: SnapshotDefinition<State>;
};

export type LoadedState<State> = {
  readonly state: State;
  /** Number of the stream's events; 0 when it does not exist. */
  readonly version: number;
  /** How many of them were read: those after the snapshot. */
  readonly eventsRead: number;
  readonly answered: StoredReply | undefined;
  /** The stream's rows in the read models asked for. */
  readonly rows: HeldRows;
  /** What its first event follows from; undefined where that was not read. */
  readonly begun: () => Cause | undefined;
};

type StateRow = {
  body_hash: Buffer | null;
  reply: string | null;
  snapshot_version: number | null;
  snapshot: unknown;
  events: readonly StoredEvent[];
  rows: HeldRows;
};

/**
 * The state of a stream, from its snapshot if there is one and the events after it; whether a command
 * was answered before; and rows of inline read models. One statement, hence one snapshot of the
 * database.
 * @throws UnknownEvent or ZodError when the stream holds what this program cannot read
 */
export async function loadState<State, Event extends DomainEvent>(
  sql: Queryable,
  { events: family, decider, snapshot }: StateDefinition<State, Event>,
  id: string,
  also: { readonly commandId?: string; readonly rowsOf?: readonly ReadModel[] } = {},
): Promise<LoadedState<State>> {
  const [row] = await sql<StateRow[]>`
    select c.body_hash, c.reply, s.version as snapshot_version, s.state as snapshot,
           ${selectHeldRows(also.rowsOf ?? [])} as rows,
           (select coalesce(jsonb_agg(to_jsonb(x) order by x.version), '[]')
              from (select ${storedEventColumns(sql)} from ledger.event e
                     where e.stream = asked.stream and e.version > coalesce(s.version, 0)) x) as events
      from (select ${family.streamOf(id)}::text as stream, ${id}::text as id) asked
      left join ledger.command c on c.command_id = ${also.commandId ?? null}::uuid
      left join ledger.snapshot s
        on s.stream = asked.stream and s.definition = ${snapshot?.definition ?? null}`;
  if (row === undefined) throw new Error("The database returned no row");
  const { body_hash: bodyHash, reply, snapshot_version: snapshotVersion, events, rows } = row;
  const kept =
    snapshot === undefined || snapshotVersion === null
      ? decider.initialState
      : snapshot.contract.parse(row.snapshot);
  const recorded = events.map((event) => readStored(family, event));
  return {
    state: stateAfter(decider, recorded, kept),
    version: recorded.at(-1)?.version ?? snapshotVersion ?? 0,
    eventsRead: recorded.length,
    answered: bodyHash === null || reply === null ? undefined : { bodyHash, reply },
    rows,
    begun: () => causeOfFirst(events),
  };
}

function causeOfFirst([first]: readonly StoredEvent[]): Cause | undefined {
  return first?.version === 1 ? Cause.safeParse(JSON.parse(first.meta)).data : undefined;
}

/** The rows of read models that belong to `asked.id`, as one value: `{table: [row...]}`. */
function selectHeldRows(models: readonly ReadModel[]): SqlText {
  const pairs = models.map(({ table, key }) => {
    const [[column, { sqlType }] = fail(table)] = Object.entries(key);
    const from = `${new Identifier(`ledger.${table}`).text} m`;
    const rows = `select coalesce(jsonb_agg(to_jsonb(m)), '[]') from ${from}
      where m.${new Identifier(column).text} = asked.id::${sqlType}`;
    return `'${table}', (${rows})`;
  });
  return new SqlText(`jsonb_build_object(${pairs.join(", ")})`);
}

function fail(table: string): never {
  throw new Error(`Read model ${table} has no key`);
}

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
