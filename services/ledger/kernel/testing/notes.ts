import { randomUUID } from "node:crypto";

import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { Sealed } from "../append.ts";
import type { EventFamily } from "../event-registry.ts";
import type { CommandHandler, CommandRequest } from "../handle-command.ts";
import { type Decider, refuse } from "../types.ts";

/** The smallest domain with everything that a command can lead to: notes that are written and closed. */
export const NoteEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("NoteWritten"), data: z.object({ number: z.number() }) }),
  z.object({ type: z.literal("NoteClosed"), data: z.object({}) }),
]);
export type NoteEvent = z.infer<typeof NoteEvent>;

export type NoteCommand = { readonly type: "WriteNote" | "CloseNote" | "LookAtNote" };
type NoteState = { readonly written: number; readonly closed: boolean };

export const noteEvents: EventFamily<NoteEvent> = {
  category: "note",
  contract: NoteEvent,
  upcasts: { NoteWritten: [], NoteClosed: [] },
};

const noteDecider: Decider<NoteState, NoteCommand, NoteEvent, "note_closed"> = {
  initialState: { written: 0, closed: false },
  decide: (command, state) => {
    if (command.type === "LookAtNote") return [];
    if (state.closed) return refuse("note_closed");
    return command.type === "CloseNote"
      ? [{ type: "NoteClosed", data: {} }]
      : [{ type: "NoteWritten", data: { number: state.written + 1 } }];
  },
  evolve: (state, event) =>
    event.type === "NoteClosed"
      ? { ...state, closed: true }
      : { ...state, written: event.data.number },
};

export const noteDueAt: Instant = instantFromMs(Date.UTC(2026, 0, 8));

/** Each note is told of; an open note has a timer until it is closed. */
export const noteHandler: CommandHandler<NoteState, NoteCommand, NoteEvent, "note_closed"> = {
  decider: noteDecider,
  family: noteEvents,
  inline: [],
  reply: (state) => ({ written: state.written }),
  effects: ({ stream, events, state }) => ({
    messages: events.map((event) => ({
      name: "tell-note",
      payload: { stream, type: event.type, written: state.written },
    })),
    timers: [
      state.closed
        ? { gone: { name: "close-note" } }
        : { put: { name: "close-note", dueAt: noteDueAt } },
    ],
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
    commandId: randomUUID(),
    stream,
    command: { type },
    body: { type },
    now: instantFromMs(Date.UTC(2026, 0, 5)),
    ...(sealed === undefined ? {} : { sealed: { ...sealed, type: "NoteWritten" } }),
  };
}
