import { createHash } from "node:crypto";

import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { append } from "./append.ts";
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
};

export type CommandRequest<Command extends Message> = {
  readonly commandId: string;
  readonly stream: string;
  readonly command: Command;
  /** The request as it came in: another one under the same id is refused. */
  readonly body: Json;
  readonly now: Instant;
  readonly meta?: EventMeta;
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
  request: CommandRequest<Command>,
): Promise<CommandAnswer | Refusal<Code | StoreRefusalCode>> {
  const bodyHash = createHash("sha256").update(canonicalJson(request.body)).digest();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await attemptCommand(store, handler, request, bodyHash);
    if (outcome !== "conflict") return outcome;
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
  request: CommandRequest<Command>,
  bodyHash: Buffer,
): Promise<CommandAnswer | Refusal<Code | StoreRefusalCode> | "conflict"> {
  const { decider, family, inline } = handler;
  const { stream, commandId, meta } = request;
  const loaded = await loadStream(store, family, stream, commandId);
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
  const result = await append(store, {
    family,
    stream,
    expected: loaded.version,
    events: decision,
    commandId,
    bodyHash,
    reply,
    inline,
    ...(meta === undefined ? {} : { meta }),
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

function isRefusal<Event, Code extends string>(
  decision: readonly Event[] | Refusal<Code>,
): decision is Refusal<Code> {
  return "kind" in decision;
}
