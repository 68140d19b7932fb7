import { z } from "zod";

import type { TestLedger } from "../../testing/create-test-ledger.ts";
import type { StreamDefinition } from "../commands.ts";
import { defineEvents } from "../events.ts";
import type { Follower } from "../follow.ts";
import { defineProcess, followerOfProcess, type Process } from "../processes.ts";
import { type Decider, refuse } from "../types.ts";
import { NoteEvent, noteEvents } from "./notes.ts";

/**
 * A domain that counts what happens to notes. Counting is not idempotent on purpose: a reaction that
 * ran twice would show.
 */
const TallyEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("NoteCounted"), data: z.object({ total: z.number() }) }),
]);
type TallyEvent = z.infer<typeof TallyEvent>;

export type TallyCommand = { readonly type: "Count" | "Ignore" | "Refuse" };
type TallyState = { readonly total: number };

export const tallyEvents = defineEvents("tally", TallyEvent);

const decider: Decider<TallyState, TallyCommand, TallyEvent, "not_counted"> = {
  initialState: { total: 0 },
  decide: ({ type }, { total }) => {
    switch (type) {
      case "Count":
        return [{ type: "NoteCounted", data: { total: total + 1 } }];
      case "Ignore":
        return [];
      case "Refuse":
        return refuse("not_counted");
    }
  },
  evolve: (_state, { data }) => ({ total: data.total }),
};

const tallies: StreamDefinition<TallyState, TallyCommand, TallyEvent, "not_counted"> = {
  events: tallyEvents,
  decider,
  durableWith: "each append",
  reply: ({ total }) => ({ total }),
};

/** A process that answers each written note with a command for the one tally of this id. */
export function countNotes(
  id: string,
  commandFor: (event: NoteEvent) => TallyCommand["type"] | undefined = (event) =>
    event.type === "NoteWritten" ? "Count" : undefined,
): Process {
  return defineProcess({
    name: "tally.count-notes",
    reads: { category: noteEvents.category, contract: NoteEvent },
    stream: tallies,
    react: ({ event }) => {
      const type = commandFor(event);
      return type && { id, command: { type } };
    },
  });
}

/** An instance of a process, with connections of the given ledger. */
export function instanceOf(ledger: Pick<TestLedger, "ledger">, process: Process): Follower {
  const families = [noteEvents, tallyEvents];
  return followerOfProcess(process, { ledger: ledger.ledger, families });
}
