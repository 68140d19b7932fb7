import type { Sql } from "@pro-talent/platform/postgres/pool";

import type { StreamDefinition } from "./commands.ts";
import { idOf, readStored, type StoredEvent } from "./events.ts";
import { stateAfter } from "./streams.ts";
import type { Timer } from "./timers.ts";
import type { Command, DomainEvent } from "./types.ts";

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
};

/** The kind of a definition, whose types stay inside, so that those of all domains fit in one list. */
export function streamKind<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>({
  events: family,
  decider,
  timers,
  erasure,
}: StreamDefinition<State, Request, Event, Code>): StreamKind {
  return {
    category: family.category,
    erasureTypes: erasure?.events ?? [],
    erasureTimers: erasure?.timers ?? [],
    timersOf: (stored) => {
      const [first] = stored;
      if (first === undefined || timers === undefined) return [];
      const state = stateAfter(
        decider,
        stored.map((event) => readStored(family, event)),
      );
      return timers(state, { id: idOf(first.stream) });
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
