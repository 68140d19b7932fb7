import type { Sql } from "@pro-talent/platform/postgres/pool";

import type { OutboxMessage } from "./append.ts";
import type { StreamDefinition } from "./commands.ts";
import { idOf, readStored, type StoredEvent } from "./events.ts";
import { stateAfter } from "./streams.ts";
import type { Timer } from "./timers.ts";
import type { Command, DomainEvent } from "./types.ts";

/** A stored event and the command that it was appended by. */
export type CommandedEvent = StoredEvent & { readonly command_id: string };

/** The messages of one append, and the position of its first event. */
export type AppendedMessages = {
  readonly position: number;
  readonly messages: readonly OutboxMessage[];
};

/** What the law or our own promise demands of a kind of stream, computed from its stored events. */
export type StreamKind = {
  readonly category: string;
  /** Types of the events with which the keys of a stream's sealed data are destroyed. */
  readonly erasureTypes: readonly string[];
  /** Names of the timers that lead to such an event. */
  readonly erasureTimers: readonly string[];
  /**
   * The timers that a stream must have.
   * @param events all of them, in their order
   * @throws UnknownEvent or ZodError when the stream holds what this program cannot read
   */
  readonly timersOf: (events: readonly StoredEvent[]) => readonly Timer[];
  /** The messages that followed from the appends of a stream. @param events as for `timersOf` */
  readonly messagesOf: (events: readonly CommandedEvent[]) => readonly AppendedMessages[];
  /** See the definition. */
  readonly otherMessages: readonly string[];
  /** What a snapshot after these events holds; undefined for streams without. */
  readonly snapshotOf: (
    events: readonly StoredEvent[],
  ) => { readonly definition: string; readonly state: unknown } | undefined;
};

/** The kind of a definition, whose types stay inside, so that those of all domains fit in one list. */
export function streamKind<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>(definition: StreamDefinition<State, Request, Event, Code>): StreamKind {
  const { events: family, decider, timers, erasure, effects, snapshot } = definition;
  const recorded = (stored: readonly StoredEvent[]) =>
    stored.map((event) => readStored(family, event));
  return {
    category: family.category,
    erasureTypes: erasure?.events ?? [],
    erasureTimers: erasure?.timers ?? [],
    timersOf: (stored) => {
      const [first] = stored;
      if (first === undefined || timers === undefined) return [];
      return timers(stateAfter(decider, recorded(stored)), { id: idOf(first.stream) });
    },
    messagesOf: (stored) => {
      if (effects === undefined) return [];
      let state = decider.initialState;
      return appendsOf(stored).map((append) => {
        const added = recorded(append);
        state = stateAfter(decider, added, state);
        const [{ position, id, occurredAt: now } = fail()] = added;
        const events = added.map(({ event }) => event);
        return { position, messages: effects({ id, events, state, now }).messages ?? [] };
      });
    },
    otherMessages: definition.otherMessages ?? [],
    snapshotOf: (stored) =>
      snapshot && {
        definition: snapshot.definition,
        state: stateAfter(decider, recorded(stored)),
      },
  };
}

/** Registers the events that erase, as the owner: the database destroys a key only after one of them. */
export async function registerErasures(sql: Sql, kinds: readonly StreamKind[]): Promise<void> {
  const pairs = kinds.flatMap(({ category, erasureTypes }) =>
    erasureTypes.map((type) => ({ category, type })),
  );
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) w(category text, type text)),
    gone as (
      delete from ledger.erasure_event e where not exists (
        select from wanted w where w.category = e.category and w.type = e.type))
    insert into ledger.erasure_event select * from wanted on conflict do nothing`;
}

/** The events of a stream, by the command that appended them. */
function appendsOf(stored: readonly CommandedEvent[]): readonly (readonly StoredEvent[])[] {
  const appends = new Map<string, StoredEvent[]>();
  for (const event of stored) {
    const append = appends.get(event.command_id);
    if (append === undefined) appends.set(event.command_id, [event]);
    else append.push(event);
  }
  return [...appends.values()];
}

function fail(): never {
  throw new Error("A command has no events");
}
