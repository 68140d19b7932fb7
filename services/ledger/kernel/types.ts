import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** A fact or an order: its name and what it says. */
export type Message = { readonly type: string };
export type DomainEvent = { readonly type: string; readonly data: object };

/** Why a command was not carried out. A value, not an exception: refusing is normal business. */
export type Refusal<Code extends string = string> = {
  readonly kind: "refusal";
  readonly code: Code;
};

export function refuse<Code extends string>(code: Code): Refusal<Code> {
  return { kind: "refusal", code };
}

/**
 * The rules of one kind of stream, as pure functions. `decide` answers a command with the events
 * that follow from it, with none when there is nothing to say (it stays quiet), or with a refusal.
 * Instants and ids are handed in: a decider has neither clock nor randomness.
 */
export type Decider<
  State,
  Command extends Message,
  Event extends DomainEvent,
  Code extends string,
> = {
  readonly initialState: State;
  readonly decide: (
    command: Command,
    state: State,
    context: { readonly now: Instant },
  ) => readonly Event[] | Refusal<Code>;
  readonly evolve: (state: State, event: Event) => State;
};

/**
 * What the stream must look like for an append: `absent` (it does not exist yet), `present`, or
 * exactly this version. `any` is for observations that no decision depends on, and for nothing else.
 */
export type Expected = "absent" | "present" | "any" | number;

/** Ids that say where an event came from. UUIDs only, so that nothing personal can hide here. */
export type EventMeta = {
  readonly actorId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
};

/** An event and the stream it belongs to: all that a projection may look at. */
export type StreamEvent<Event extends DomainEvent> = {
  readonly event: Event;
  readonly stream: string;
};

/** An event as the ledger holds it, with `type` and `data` in their newest version. */
export type RecordedEvent<Event extends DomainEvent> = StreamEvent<Event> & {
  /** Place in its stream, from 1. */
  readonly version: number;
  /** Place in the whole ledger, from 1, without gaps. */
  readonly position: number;
  /** Number of the ledger's life: one more after each restored backup. */
  readonly epoch: number;
  readonly recordedAt: Instant;
};
