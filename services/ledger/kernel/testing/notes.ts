import { randomUUID } from "node:crypto";

import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { testCause } from "../../testing/create-test-ledger.ts";
import type { Sealed } from "../append.ts";
import type { CommandRequest, StreamDefinition } from "../commands.ts";
import { defineEvents, idOf } from "../events.ts";
import { defineSnapshot } from "../streams.ts";
import { type Decider, refuse } from "../types.ts";

/** A small domain with everything that a command can lead to: notes that are written and closed. */
export const NoteEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("NoteWritten"), data: z.object({ number: z.number() }) }),
  z.object({ type: z.literal("NoteStarred"), data: z.object({}) }),
  z.object({ type: z.literal("NoteClosed"), data: z.object({}) }),
  /** What is sealed in the note is erased. */
  z.object({ type: z.literal("NoteForgotten"), data: z.object({}) }),
]);
export type NoteEvent = z.infer<typeof NoteEvent>;

export type NoteCommand = {
  readonly type: "WriteNote" | "StarNote" | "CloseNote" | "ForgetNote" | "LookAtNote";
};
const NoteState = z.object({ written: z.number(), closed: z.boolean() }).readonly();
type NoteState = z.infer<typeof NoteState>;

export const noteEvents = defineEvents("note", NoteEvent);

const noteDecider: Decider<NoteState, NoteCommand, NoteEvent, "note_closed"> = {
  initialState: { written: 0, closed: false },
  decide: (command, state) => {
    if (command.type === "LookAtNote") return [];
    if (command.type === "ForgetNote") return [{ type: "NoteForgotten", data: {} }];
    if (state.closed) return refuse("note_closed");
    switch (command.type) {
      case "WriteNote":
        return [{ type: "NoteWritten", data: { number: state.written + 1 } }];
      case "StarNote":
        return [{ type: "NoteStarred", data: {} }];
      case "CloseNote":
        return [{ type: "NoteClosed", data: {} }];
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case "NoteWritten":
        return { ...state, written: event.data.number };
      case "NoteStarred":
      case "NoteForgotten":
        return state;
      case "NoteClosed":
        return { ...state, closed: true };
    }
  },
};

/** Each time that a note is written, its timer moves by a day. */
export const noteDueAt = (written: number): Instant =>
  instantFromMs(Date.UTC(2026, 0, 7 + written));

/** Each note leads to a message; an open note has a timer until it is closed. */
export const notes: StreamDefinition<NoteState, NoteCommand, NoteEvent, "note_closed"> = {
  events: noteEvents,
  decider: noteDecider,
  durableWith: "each append",
  snapshot: defineSnapshot(1, NoteState),
  reply: (state) => ({ written: state.written }),
  erasure: { events: ["NoteForgotten"], timers: [] },
  timers: ({ written, closed }) =>
    closed || written === 0 ? [] : [{ name: "close-note", dueAt: noteDueAt(written) }],
  effects: ({ id, events, state }) => ({
    messages: events.map((event) => ({
      name: "note-changed",
      payload: { stream: noteEvents.streamOf(id), type: event.type, written: state.written },
    })),
  }),
};

export function newNote(): string {
  return `note-${randomUUID()}`;
}

/** A command of its own each time. */
export function noteCommand(
  stream: string,
  type: NoteCommand["type"],
  sealed?: Sealed,
): CommandRequest<NoteCommand, NoteEvent> {
  return {
    id: idOf(stream),
    commandId: randomUUID(),
    command: { type },
    body: { type },
    cause: testCause(),
    now: instantFromMs(Date.UTC(2026, 0, 5)),
    ...(sealed === undefined ? {} : { sealed: { ...sealed, type: "NoteWritten" } }),
  };
}
