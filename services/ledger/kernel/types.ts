import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

/** What is asked for, in the imperative. */
export type Command = { readonly type: string };
/** A fact, in the past tense, with its data. */
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
 * that follow from it, with none when nothing changes, or with a refusal. Instants and ids are
 * parameters: a decider has neither clock nor randomness.
 */
export type Decider<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
> = {
  readonly initialState: State;
  readonly decide: (
    command: Request,
    state: State,
    context: { readonly now: Instant },
  ) => readonly Event[] | Refusal<Code>;
  /** `at` is when the event occurred, as it is recorded. */
  readonly evolve: (state: State, event: Event, at: Instant) => State;
};

/**
 * What the stream must look like for an append: `absent` (it does not exist yet), `present`, or
 * exactly this version. `any` is for observations that no decision depends on, and for nothing else.
 */
export type Expected = "absent" | "present" | "any" | number;

/**
 * Who issued the command: a visitor without an identity, a known person by a random id, an operator
 * at a terminal, or a part of the product by its name. The closed form keeps personal data out.
 */
export const Actor = z
  .string()
  .regex(
    /^(?:visitor|operator|(?:subscriber|account|officer|analyst):[0-9a-f-]{36}|(?:service|process|timer|message):[a-z][a-z.-]*)$/,
  );

/** Where an event comes from; stored with it. All ids are UUIDs. */
export const Cause = z.object({
  actor: Actor,
  /** What led to the command: a request, an event. */
  causationId: z.uuid(),
  /** The same for everything that follows from one request. */
  correlationId: z.uuid(),
});
export type Cause = z.infer<typeof Cause>;

const LooseCause = Cause.partial();

/** The nil UUID (RFC 9562 §5.9): a row that was inserted by hand follows from no event. */
const noEvent = "00000000-0000-0000-0000-000000000000";

/**
 * The cause of what follows from an event: the event itself, in the same correlation.
 * @param meta of the event as it is stored; events of earlier versions name no correlation
 */
export function causeAfter(actor: string, eventId: string | null, meta: string | null): Cause {
  const before = LooseCause.safeParse(JSON.parse(meta ?? "{}"));
  const correlationId = before.success ? before.data.correlationId : undefined;
  const causationId = eventId ?? noEvent;
  return { actor, causationId, correlationId: correlationId ?? causationId };
}

/** An event and the stream it belongs to. */
export type StreamEvent<Event extends DomainEvent> = {
  readonly event: Event;
  /** `<category>-<id>`. */
  readonly stream: string;
  /** The part of the stream's name after its category. */
  readonly id: string;
  /** When it happened, by the service's clock. */
  readonly occurredAt: Instant;
};

/** An event as the ledger holds it, with `type` and `data` in their newest version. */
export type RecordedEvent<Event extends DomainEvent> = StreamEvent<Event> & {
  readonly eventId: string;
  /** Place in its stream, from 1. */
  readonly version: number;
  /** Place in the whole ledger, from 1, without gaps. */
  readonly position: number;
  /** Number of the ledger's life: one more after each restored backup. */
  readonly epoch: number;
  readonly recordedAt: Instant;
};
