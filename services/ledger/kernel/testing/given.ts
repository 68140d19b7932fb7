import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect } from "vitest";

import type { Command, Decider, DomainEvent } from "../types.ts";

type Then<Event, Code> = {
  /** These events follow, in this order. */
  then: (events: readonly Event[]) => void;
  /** No event follows, and the command is not refused. */
  thenNothingChanges: () => void;
  thenRefuses: (code: Code) => void;
};

/** Examples of a decider's rules: `given(events).when(command).then(events)`. */
export function specification<
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>(
  decider: Decider<State, Request, Event, Code>,
  now: Instant = instantFromMs(0),
): (events: readonly Event[]) => { when: (command: Request) => Then<Event, Code> } {
  return (events) => ({
    when: (command) => {
      const state = events.reduce(
        (before, event) => decider.evolve(before, event, now),
        decider.initialState,
      );
      const decision = decider.decide(command, state, { now });
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- the sentence reads given, when, then; it is never awaited
        then: (expected) => expect(decision).toEqual(expected),
        thenNothingChanges: () => expect(decision).toEqual([]),
        thenRefuses: (code) => expect(decision).toEqual({ kind: "refusal", code }),
      };
    },
  });
}
