import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { decodeEvent, type EventFamily } from "../events.ts";
import type { Command, Decider, DomainEvent } from "../types.ts";

/** An event as it was once stored, and what it must be read as today. */
const FrozenFixture = z.strictObject({
  type: z.string(),
  schemaVersion: z.number().int(),
  data: z.string(),
  newest: z.unknown(),
});
export type FrozenFixture = z.infer<typeof FrozenFixture>;

/** The fixtures of a domain, by file name. They are never edited: stored events are not either. */
export function readFrozenFixtures(directory: string): Map<string, FrozenFixture> {
  return new Map(
    readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => [
        name,
        FrozenFixture.parse(JSON.parse(readFileSync(join(directory, name), "utf8"))),
      ]),
  );
}

/** `consent-granted.v1.json` for version 1 of ConsentGranted: one file per version ever written. */
export function fixtureNames<Event extends DomainEvent>(family: EventFamily<Event>): string[] {
  return [...family.upcasts].flatMap(([type, upcasts]) => {
    const kebab = type.replaceAll(/(?<!^)([A-Z])/g, "-$1").toLowerCase();
    return Array.from({ length: upcasts.length + 1 }, (_, index) => `${kebab}.v${index + 1}.json`);
  });
}

/**
 * The frozen events of a folder that a decider ignores: they change neither its initial state nor one
 * that one or two others of them lead to.
 */
export function ignoredFixtures<State, Event extends DomainEvent>(
  directory: string,
  family: EventFamily<Event>,
  decider: Pick<Decider<State, Command, Event, string>, "evolve" | "initialState">,
): string[] {
  const fixtures = [...readFrozenFixtures(directory)];
  const events = new Map(fixtures.map(([name, frozen]) => [name, decodeEvent(family, frozen)]));
  const evolve = (state: State, event: Event) => decider.evolve(state, event, instantFromMs(0));
  const { initialState } = decider;
  const after = (state: State) => [...events.values()].map((event) => evolve(state, event));
  const first = after(initialState);
  const states = [initialState, ...first, ...first.flatMap(after)];
  const changes = (event: Event) => states.some((s) => !isDeepStrictEqual(evolve(s, event), s));
  return [...events].flatMap(([name, event]) => (changes(event) ? [] : [name]));
}
