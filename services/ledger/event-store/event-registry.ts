import type { z } from "zod";

import { canonicalJson } from "./canonical-json.ts";
import type { DomainEvent } from "./types.ts";

/** A pure step from one version of an event's data to the next. Stored bytes never change. */
export type Upcast = (data: unknown) => unknown;

/**
 * The step of an event type whose earlier version is `from`.
 * @internal until an event has a second version
 */
export function upcast<Earlier extends z.ZodType>(
  from: Earlier,
  step: (data: z.infer<Earlier>) => unknown,
): Upcast {
  return (data) => step(from.parse(data));
}

/**
 * The events of one domain. `contract` is the newest version of all of them; `upcasts` names every
 * type with its steps from version 1 on, so a type's newest version is its number of steps + 1.
 */
export type EventFamily<Event extends DomainEvent> = {
  /** The word before the dash in the names of its streams. */
  readonly category: string;
  readonly contract: z.ZodType<Event>;
  readonly upcasts: Readonly<Record<Event["type"], readonly Upcast[]>>;
};

/** An event in its stored form. */
export type EncodedEvent = { type: string; schemaVersion: number; data: string };

/** Raised when the store holds an event that this program does not know. Nothing is skipped. */
export class UnknownEvent extends Error {
  override readonly name = "UnknownEvent";

  constructor(type: string, schemaVersion: number) {
    super(`Event ${type} in version ${schemaVersion} is not known here`);
  }
}

/** The newest version of a type. @throws UnknownEvent when the family does not have the type. */
function stepsOf<Event extends DomainEvent>(
  family: EventFamily<Event>,
  type: string,
  schemaVersion: number,
): readonly Upcast[] {
  const known = new Map<string, readonly Upcast[]>(Object.entries(family.upcasts));
  const steps = known.get(type);
  if (steps === undefined) throw new UnknownEvent(type, schemaVersion);
  return steps;
}

/**
 * The stored form of a new event, parsed by its contract first.
 * @throws UnknownEvent or ZodError
 */
export function encodeEvent<Event extends DomainEvent>(
  family: EventFamily<Event>,
  event: Event,
): EncodedEvent {
  const steps = stepsOf(family, event.type, 0);
  const parsed = family.contract.parse(event);
  return { type: parsed.type, schemaVersion: steps.length + 1, data: canonicalJson(parsed.data) };
}

/**
 * The newest version of a stored event: upcast step by step, then parsed by its contract.
 * @throws UnknownEvent for a type or a version that this program does not know; ZodError
 */
export function decodeEvent<Event extends DomainEvent>(
  family: EventFamily<Event>,
  stored: EncodedEvent,
): Event {
  const { type, schemaVersion } = stored;
  const steps = stepsOf(family, type, schemaVersion);
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > steps.length + 1) {
    throw new UnknownEvent(type, schemaVersion);
  }
  let data: unknown = JSON.parse(stored.data);
  for (const step of steps.slice(schemaVersion - 1)) data = step(data);
  return family.contract.parse({ type, data });
}
