import type { EventFamily } from "./event-registry.ts";
import type { EventStore } from "./event-store.ts";
import { readStored, type StoredEvent, storedEventColumns } from "./stored-event.ts";
import type { DomainEvent, RecordedEvent } from "./types.ts";

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
  { sql }: EventStore,
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
