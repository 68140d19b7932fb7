import { createHash, randomUUID } from "node:crypto";

import { inSpan } from "@pro-talent/platform/tracing/spans";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import {
  append,
  type AppendRequest,
  type EventStore,
  type OutboxMessage,
  type ProcessStep,
  type Sealed,
  waitForDisk,
} from "./append.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import type { EventFamily } from "./events.ts";
import { inlineChanges, type ReadModel } from "./read-model.ts";
import {
  type LoadedState,
  loadState,
  type SnapshotDefinition,
  stateAfter,
  type StoredReply,
} from "./streams.ts";
import { type Timer, timerChanges } from "./timers.ts";
import {
  type Cause,
  type Command,
  type Decider,
  type DomainEvent,
  type Refusal,
  refuse,
} from "./types.ts";

/** Messages that follow from a command's events; written with them, or not at all. */
export type Effects = { readonly messages?: readonly OutboxMessage[] };

/** What effects follow from: what was decided just now, and the state after it. */
export type EffectsInput<State, Event extends DomainEvent> = {
  readonly id: string;
  readonly events: readonly Event[];
  readonly state: State;
  readonly now: Instant;
};

/** A kind of stream: its events, its rules, and what follows from its commands. */
export type StreamDefinition<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
> = {
  readonly events: EventFamily<Event>;
  readonly decider: Decider<State, Request, Event, Code>;
  /** What is answered, from the state after the command and the events that it led to. */
  readonly reply: (state: State, events: readonly Event[]) => Json;
  /**
   * The timers that a stream in this state must have, at most one of each name. Pure over the state, so
   * that they can be computed again from the events. An append writes the difference to those before
   * it: one that is new or moved is due (again), one that is gone is cancelled, and one that stays is
   * not touched, so that one that fired has fired.
   */
  readonly timers?: (state: State, context: { readonly id: string }) => readonly Timer[];
  /** Of streams with sealed data: the facts that end it, and the timers that lead to those facts. */
  readonly erasure?: {
    /** With such an event the keys of the stream's sealed data must be destroyed, and only then. */
    readonly events: readonly Event["type"][];
    readonly timers: readonly string[];
  };
  /** Pure: computed again when another writer was faster. */
  readonly effects?: (input: EffectsInput<State, Event>) => Effects;
  /**
   * Names of messages that follow from no append: those that the work on a stream adds later, and those
   * of earlier versions. Their payloads hold the stream's id.
   */
  readonly otherMessages?: readonly string[];
  /**
   * `each append` waits for the disk itself. `answer` lets the next append begin meanwhile, so that
   * many commands wait for the disk together before each is answered; in return others may see a fact
   * some milliseconds before it is safe from a power cut. Not for facts on which another store acts
   * at once, such as consent.
   */
  readonly durableWith: "each append" | "answer";
  /**
   * Everything in a stream is about one request, however many people act on it and however long it takes: all
   * events have the correlation of the first one, and so one trace. Not for streams with snapshots.
   */
  readonly correlation?: "of the first event";
  /** For streams that may become long. */
  readonly snapshot?: SnapshotDefinition<State>;
};

/** A stream is read from its snapshot on; one is written when so many events came after the last. */
export const eventsPerSnapshot = 100;

/** The event store as commands use it: with the read models that are written with an append. */
export type Ledger = EventStore & { readonly readModels: readonly ReadModel[] };

/** When and why a command is issued. */
export type CommandContext = {
  readonly now: Instant;
  readonly cause: Cause;
  /** Made by the client, so that a repetition changes nothing; a new one when absent. */
  readonly commandId?: string | undefined;
};

export type CommandRequest<
  Request extends Command,
  Event extends DomainEvent = DomainEvent,
> = CommandContext & {
  /** The thing that the stream is about. */
  readonly id: string;
  readonly command: Request;
  /**
   * What makes another command under the same id a different one. Nothing personal: its bare hash
   * stays, and the hash of an address could be guessed back.
   */
  readonly body: Json;
  /** Personal data that belongs to the events of this type, if the command leads to any. */
  readonly sealed?: Sealed & { readonly type: Event["type"] };
  readonly process?: ProcessStep;
};

/**
 * `recorded`: events were appended; `replayed`: it was carried out before, the reply is the stored
 * one byte for byte; `unchanged`: nothing followed and nothing was written, not even the command's id.
 */
export type CommandAnswer = {
  readonly kind: "answer";
  readonly how: "recorded" | "replayed" | "unchanged";
  /** Canonical JSON. */
  readonly reply: string;
};

/**
 * The store's own refusals: the id belongs to another command; other writers were faster too often;
 * another instance of the process that issued the command was faster.
 */
export type StoreRefusalCode = "command_mismatch" | "version_conflict" | "process_superseded";

export type CommandResult<Code extends string> = CommandAnswer | Refusal<Code | StoreRefusalCode>;

/** Each lost attempt means that another writer won, so a handful is plenty for one stream. */
const attemptsMax = 10;

/**
 * Carries out a command: loads the stream, decides, appends under the version that was read, and
 * starts over when another writer was faster.
 * @throws UnknownEvent or ZodError when the stream cannot be read; PostgresError
 */
export async function runCommand<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>(
  ledger: Ledger,
  definition: StreamDefinition<State, Request, Event, Code>,
  request: CommandRequest<Request, Event>,
): Promise<CommandResult<Code>> {
  const commandId = request.commandId ?? randomUUID();
  const bodyHash = createHash("sha256").update(canonicalJson(request.body)).digest();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const result = await attemptCommand(ledger, definition, { ...request, commandId, bodyHash });
    if (result === "conflict") continue;
    if (definition.durableWith === "answer") await waitForDisk(ledger.sql);
    return result;
  }
  return refuse("version_conflict");
}

type Attempt = { readonly commandId: string; readonly bodyHash: Buffer };

async function attemptCommand<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>(
  ledger: Ledger,
  definition: StreamDefinition<State, Request, Event, Code>,
  request: CommandRequest<Request, Event> & Attempt,
): Promise<CommandResult<Code> | "conflict"> {
  const { decider, events: family } = definition;
  const stream = family.streamOf(request.id);
  const models = ledger.readModels.filter(
    ({ mode, category }) => mode === "inline" && category === family.category,
  );
  const also = { commandId: request.commandId, rowsOf: models };
  const loaded = await loadState(ledger.sql, definition, request.id, also);
  if (loaded.answered !== undefined) return replayed(loaded.answered, request);
  const before = loaded.state;
  const decision = decider.decide(request.command, before, { now: request.now });
  if ("kind" in decision) return decision;
  const { id, now, command: _command, body: _body, ...rest } = request;
  const added = decision.map((event) => ({ event, stream, id, occurredAt: now }));
  const after = stateAfter(decider, added, before);
  const reply = canonicalJson(definition.reply(after, decision));
  if (decision.length === 0) return { kind: "answer", how: "unchanged", reply };
  const timersOf = (state: State) => definition.timers?.(state, { id }) ?? [];
  const cause = causeIn(definition, loaded, request.cause);
  const result = await inTraceOf(cause, request.cause, family.category, () =>
    append(ledger, {
      ...rest,
      ...definition.effects?.({ id, events: decision, state: after, now }),
      cause,
      timers: timerChanges(timersOf(before), timersOf(after)),
      family,
      stream,
      reply,
      occurredAt: now,
      expected: loaded.version,
      events: decision,
      changes: inlineChanges(models, loaded.rows, added),
      ...keptState(definition, loaded, decision.length, after),
      durable: definition.durableWith === "each append",
    }),
  );
  switch (result.status) {
    case "appended":
      return { kind: "answer", how: "recorded", reply };
    case "replayed":
      return { kind: "answer", how: "replayed", reply: result.reply };
    case "mismatch":
      return refuse("command_mismatch");
    case "superseded":
      return refuse("process_superseded");
    case "conflict":
      return "conflict";
  }
}

function replayed(
  { bodyHash, reply }: StoredReply,
  request: Attempt,
): CommandAnswer | Refusal<"command_mismatch"> {
  return bodyHash.equals(request.bodyHash)
    ? { kind: "answer", how: "replayed", reply }
    : refuse("command_mismatch");
}

/** Where all events of a stream have one correlation, a later command keeps its own cause beside it. */
function causeIn(
  { correlation }: { readonly correlation?: string },
  { begun }: Pick<LoadedState<unknown>, "begun">,
  cause: Cause,
): Cause {
  const first = correlation === undefined ? undefined : begun();
  return first === undefined ? cause : { ...cause, correlationId: first.correlationId };
}

/** Work that belongs to the trace of another call than the one under way, which is linked, is a span there. */
async function inTraceOf<Result>(
  { correlationId }: Cause,
  given: Cause,
  category: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const isOwn = correlationId === given.correlationId;
  return await (isOwn ? work() : inSpan(`command ${category}`, { of: correlationId }, work));
}

/** The state after a command, when its stream is to be read from here on. */
function keptState<State>(
  { snapshot }: { readonly snapshot?: SnapshotDefinition<State> },
  loaded: LoadedState<State>,
  added: number,
  after: State,
): Pick<AppendRequest<DomainEvent>, "snapshot"> {
  if (snapshot === undefined || loaded.eventsRead + added < eventsPerSnapshot) return {};
  const state = z.json().parse(after);
  return {
    snapshot: { definition: snapshot.definition, version: loaded.version + added, state },
  };
}
