import { createHash } from "node:crypto";

import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { append, type OutboxMessage, type Sealed, type TimerChange } from "./append.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import type { EventFamily } from "./event-registry.ts";
import type { EventStore } from "./event-store.ts";
import type { Projection } from "./projection.ts";
import { loadStream } from "./read-stream.ts";
import {
  type Decider,
  type DomainEvent,
  type EventMeta,
  type Message,
  type Refusal,
  refuse,
} from "./types.ts";
import { waitForDisk } from "./wait-for-disk.ts";

/** Work and clocks that follow from a command's events; written with them, or not at all. */
export type Effects = {
  readonly messages?: readonly OutboxMessage[];
  readonly timers?: readonly TimerChange[];
};

/** What effects follow from: what was decided just now, and the state after it. */
export type EffectsInput<State, Event extends DomainEvent> = {
  readonly stream: string;
  readonly events: readonly Event[];
  readonly state: State;
  readonly now: Instant;
};

/** All that carrying out a domain's commands needs. */
export type CommandHandler<
  State,
  Command extends Message,
  Event extends DomainEvent,
  Code extends string,
> = {
  readonly decider: Decider<State, Command, Event, Code>;
  readonly family: EventFamily<Event>;
  readonly inline: readonly Projection<Event>[];
  /** What is answered, from the state after the command and the events that it led to. */
  readonly reply: (state: State, events: readonly Event[]) => Json;
  /** Pure: it is asked again when another writer was faster. */
  readonly effects?: (input: EffectsInput<State, Event>) => Effects;
};

export type CommandRequest<Command extends Message, Event extends DomainEvent = DomainEvent> = {
  readonly commandId: string;
  readonly stream: string;
  readonly command: Command;
  /**
   * The request as it came in: another one under the same id is refused. Nothing personal: its bare
   * hash stays, and the hash of an address could be guessed back.
   */
  readonly body: Json;
  readonly now: Instant;
  readonly meta?: EventMeta;
  /** Personal data that goes with the events of this type, if the command leads to any. */
  readonly sealed?: Sealed & { readonly type: Event["type"] };
};

/**
 * `recorded`: events were appended; `replayed`: it was carried out before, the reply is the stored
 * one byte for byte; `quiet`: nothing followed, and nothing was written, not even the command's id.
 */
export type CommandAnswer = {
  readonly kind: "answer";
  readonly how: "recorded" | "replayed" | "quiet";
  /** Canonical JSON. */
  readonly reply: string;
};

/** The store's own refusals: the id belongs to another command; others were faster too often. */
export type StoreRefusalCode = "command_mismatch" | "version_conflict";

/** Each lost attempt means that another writer won, so a handful is plenty for one stream. */
const attemptsMax = 10;

/**
 * Carries out a command: loads the stream, decides, appends under the version that was read, and
 * starts over when another writer was faster.
 * @throws UnknownEvent or ZodError when the stream cannot be read; PostgresError
 */
export async function handleCommand<
  State,
  Command extends Message,
  Event extends DomainEvent,
  Code extends string,
>(
  store: EventStore,
  handler: CommandHandler<State, Command, Event, Code>,
  request: CommandRequest<Command, Event>,
): Promise<CommandAnswer | Refusal<Code | StoreRefusalCode>> {
  const bodyHash = createHash("sha256").update(canonicalJson(request.body)).digest();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await attemptCommand(store, handler, request, bodyHash);
    if (outcome === "conflict") continue;
    await waitForDisk(store);
    return outcome;
  }
  return refuse("version_conflict");
}

async function attemptCommand<
  State,
  Command extends Message,
  Event extends DomainEvent,
  Code extends string,
>(
  store: EventStore,
  handler: CommandHandler<State, Command, Event, Code>,
  request: CommandRequest<Command, Event>,
  bodyHash: Buffer,
): Promise<CommandAnswer | Refusal<Code | StoreRefusalCode> | "conflict"> {
  const { decider, family } = handler;
  const loaded = await loadStream(store, family, request.stream, request.commandId);
  if (loaded.answered !== undefined) {
    return loaded.answered.bodyHash.equals(bodyHash)
      ? { kind: "answer", how: "replayed", reply: loaded.answered.reply }
      : refuse("command_mismatch");
  }
  const before = loaded.events.reduce(
    (state, recorded) => decider.evolve(state, recorded.event),
    decider.initialState,
  );
  const decision = decider.decide(request.command, before, { now: request.now });
  if (isRefusal(decision)) return decision;
  const after = decision.reduce(decider.evolve, before);
  const reply = canonicalJson(handler.reply(after, decision));
  if (decision.length === 0) return { kind: "answer", how: "quiet", reply };
  const { stream, now } = request;
  const result = await append(store, {
    ...appendOf(handler, request),
    ...handler.effects?.({ stream, events: decision, state: after, now }),
    expected: loaded.version,
    events: decision,
    bodyHash,
    reply,
  });
  switch (result.status) {
    case "appended":
      return { kind: "answer", how: "recorded", reply };
    case "replayed":
      return { kind: "answer", how: "replayed", reply: result.reply };
    case "mismatch":
      return refuse("command_mismatch");
    case "conflict":
      return "conflict";
  }
}

/** The parts of an append that the request and its handler settle, whatever is decided. */
function appendOf<State, Command extends Message, Event extends DomainEvent, Code extends string>(
  { family, inline }: CommandHandler<State, Command, Event, Code>,
  { stream, commandId, meta, sealed }: CommandRequest<Command, Event>,
) {
  return {
    family,
    inline,
    stream,
    commandId,
    ...(meta === undefined ? {} : { meta }),
    ...(sealed === undefined ? {} : { sealed }),
  };
}

function isRefusal<Event, Code extends string>(
  decision: readonly Event[] | Refusal<Code>,
): decision is Refusal<Code> {
  return "kind" in decision;
}
