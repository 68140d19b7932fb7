import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Statement } from "@pro-talent/platform/postgres/statement";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

import { canonicalJson } from "./canonical-json.ts";
import type { DomainEvent, RecordedEvent } from "./types.ts";

/** A pure step from one version of an event's data to the next. Stored bytes never change. */
export type Upcast = (data: unknown) => unknown;

/** The step of an event type whose earlier version is `from`. */
export function upcast<Earlier extends z.ZodType>(
  from: Earlier,
  step: (data: z.infer<Earlier>) => unknown,
): Upcast {
  return (data) => step(from.parse(data));
}

/** The events of one kind of stream, in their newest versions and with the steps from older ones. */
export type EventFamily<Event extends DomainEvent = DomainEvent> = {
  /** The part of its streams' names before the dash. */
  readonly category: string;
  readonly contract: z.ZodType<Event>;
  /** Every type with its steps from version 1 on: its newest version is their number + 1. */
  readonly upcasts: ReadonlyMap<string, readonly Upcast[]>;
  /** The stream of one thing, by its id. */
  readonly streamOf: (id: string) => string;
};

type EventContract<Event extends DomainEvent> = z.ZodType<Event> & {
  readonly options: readonly { readonly shape: { readonly type: z.ZodLiteral<Event["type"]> } }[];
};

/**
 * The events of one kind of stream, by their contract: a union discriminated by `type`.
 * @param upcasts the steps of types that have earlier versions
 */
export function defineEvents<Event extends DomainEvent>(
  category: string,
  contract: EventContract<Event>,
  upcasts: Partial<Readonly<Record<Event["type"], readonly Upcast[]>>> = {},
): EventFamily<Event> {
  const types = contract.options.map(({ shape }) => shape.type.value);
  return {
    category,
    contract,
    upcasts: new Map(types.map((type) => [type, upcasts[type] ?? []])),
    streamOf: (id) => `${category}-${id.toLowerCase()}`,
  };
}

/** The part of a stream's name before the dash: its category. */
export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf("-"));
}

/** The part after it: which thing the stream is about. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf("-") + 1);
}

/** An event in its stored form. */
export type EncodedEvent = { type: string; schemaVersion: number; data: string };

/** Raised when the store holds an event that this program does not know. Nothing is skipped. */
export class UnknownEvent extends Error {
  override readonly name = "UnknownEvent";

  constructor(type: string, schemaVersion: number) {
    super(`Event ${type} in version ${schemaVersion} is not known here`);
  }
}

/**
 * The stored form of a new event, parsed by its contract first.
 * @throws UnknownEvent when the family does not have the type; ZodError
 */
export function encodeEvent<Event extends DomainEvent>(
  family: EventFamily<Event>,
  event: Event,
): EncodedEvent {
  const steps = family.upcasts.get(event.type);
  if (steps === undefined) throw new UnknownEvent(event.type, 0);
  const parsed = family.contract.parse(event);
  return { type: parsed.type, schemaVersion: steps.length + 1, data: canonicalJson(parsed.data) };
}

/**
 * The newest version of a stored event: upcast step by step, then parsed by its contract.
 * @throws UnknownEvent for a type or a version that this program does not know; ZodError
 */
export function decodeEvent<Event extends DomainEvent>(
  family: EventFamily<Event>,
  { type, schemaVersion, data: text }: EncodedEvent,
): Event {
  const steps = family.upcasts.get(type);
  if (
    steps === undefined ||
    !Number.isInteger(schemaVersion) ||
    schemaVersion < 1 ||
    schemaVersion > steps.length + 1
  ) {
    throw new UnknownEvent(type, schemaVersion);
  }
  let data: unknown = JSON.parse(text);
  for (const step of steps.slice(schemaVersion - 1)) data = step(data);
  return family.contract.parse({ type, data });
}

/** A row of ledger.event as {@link storedEventColumns} selects it. */
export type StoredEvent = {
  pos: number;
  epoch: number;
  stream: string;
  version: number;
  event_id: string;
  type: string;
  schema_version: number;
  occurred_ms: number;
  recorded_ms: number;
  meta: string;
  data: string;
};

/** The columns of a {@link StoredEvent}, of a table or subquery that is called `e`. */
export function storedEventColumns(sql: Queryable): Statement<readonly object[]> {
  return sql`e.pos, e.epoch, e.stream, e.version, e.event_id, e.type, e.schema_version, e.meta, e.data,
    (extract(epoch from e.occurred_at) * 1000)::bigint as occurred_ms,
    (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms`;
}

/** @throws UnknownEvent or ZodError when the family cannot read it */
export function readStored<Event extends DomainEvent>(
  family: EventFamily<Event>,
  stored: StoredEvent,
): RecordedEvent<Event> {
  const { type, schema_version: schemaVersion, data } = stored;
  return {
    event: decodeEvent(family, { type, schemaVersion, data }),
    stream: stored.stream,
    id: idOf(stored.stream),
    eventId: stored.event_id,
    version: stored.version,
    position: stored.pos,
    epoch: stored.epoch,
    occurredAt: instantFromMs(stored.occurred_ms),
    recordedAt: instantFromMs(stored.recorded_ms),
  };
}
