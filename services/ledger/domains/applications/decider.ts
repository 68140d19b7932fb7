import type {
  ApplicationDescribed,
  ApplicationEvent,
} from "@pro-talent/schemas/applications/events";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import {
  decideReminder,
  evolveReminders,
  isReminderCommand,
  isReminderEvent,
  type ReminderCommand,
  type Reminders,
} from "./reminders/decider.ts";

/** References to what was sent; the applicant's words are sealed beside the command. */
type Sent = ApplicationDescribed["data"];
type Place = { readonly stageId: string; readonly rank: string };

/** By the applicant: refused as unknown when the application belongs to another account. */
type OwnerCommand =
  | { readonly type: "DescribeApplication"; readonly sent: Sent }
  | ({ readonly type: "MoveApplication" } & Place)
  | { readonly type: "ArchiveApplication" }
  | { readonly type: "RestoreApplication" }
  | { readonly type: "DeleteApplication" }
  | { readonly type: "AddNote" | "ChangeNote" | "RemoveNote"; readonly noteId: string }
  | { readonly type: "AddFile" | "RemoveFile"; readonly fileId: string };

export type ApplicationCommand =
  | ({ readonly type: "AddApplication"; readonly accountId: string; readonly sent: Sent } & Place)
  | ({ readonly accountId: string } & OwnerCommand)
  | ReminderCommand
  /** The account of the applicant is gone. */
  | { readonly type: "EraseApplication" };

export type HeldApplication = Place & {
  readonly accountId: string;
  readonly archived: boolean;
  readonly notes: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly reminders: Reminders;
};

export type ApplicationState =
  | { readonly status: "none" }
  | ({ readonly status: "held" } & HeldApplication)
  | { readonly status: "erased"; readonly at: Instant; readonly files: ReadonlySet<string> };

export type ApplicationRefusalCode =
  | "application_not_found"
  | "application_full"
  | "note_not_found"
  | "file_not_found"
  | "reminder_not_found"
  | "reminder_past";

type Decision = readonly ApplicationEvent[] | Refusal<ApplicationRefusalCode>;

/** One application: where it stands, and what belongs to it. */
export const applicationDecider: Decider<
  ApplicationState,
  ApplicationCommand,
  ApplicationEvent,
  ApplicationRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

function decide(
  command: ApplicationCommand,
  state: ApplicationState,
  { now }: { readonly now: Instant },
): Decision {
  if (command.type === "AddApplication") {
    if (state.status !== "none") return [];
    const { accountId, stageId, rank, sent } = command;
    return [
      { type: "ApplicationAdded", data: { accountId, stageId, rank } },
      { type: "ApplicationDescribed", data: sent },
    ];
  }
  if (state.status !== "held") return "accountId" in command ? refuse("application_not_found") : [];
  if ("accountId" in command && command.accountId !== state.accountId)
    return refuse("application_not_found");
  if ("noteId" in command) return decideNote(command, state);
  if ("fileId" in command) return decideFile(command, state);
  return isReminderCommand(command)
    ? decideReminder(command, state.reminders, now)
    : decideWhole(command, state);
}

function decideWhole(
  command: Exclude<
    ApplicationCommand,
    { type: "AddApplication" } | { noteId: string } | { fileId: string } | ReminderCommand
  >,
  { stageId, rank, archived }: HeldApplication,
): readonly ApplicationEvent[] {
  switch (command.type) {
    case "DescribeApplication":
      return [{ type: "ApplicationDescribed", data: command.sent }];
    case "MoveApplication": {
      if (command.stageId === stageId && command.rank === rank) return [];
      const data = { stageId: command.stageId, rank: command.rank };
      return [{ type: "ApplicationMoved", data }];
    }
    case "ArchiveApplication":
      return archived ? [] : [{ type: "ApplicationArchived", data: {} }];
    case "RestoreApplication":
      return archived ? [{ type: "ApplicationRestored", data: {} }] : [];
    case "DeleteApplication":
      return [{ type: "ApplicationErased", data: { reason: "deleted" } }];
    case "EraseApplication":
      return [{ type: "ApplicationErased", data: { reason: "account-closed" } }];
  }
}

function decideNote(
  { type, noteId }: Extract<ApplicationCommand, { noteId: string }>,
  { notes }: HeldApplication,
): Decision {
  const data = { noteId };
  if (type === "AddNote") {
    if (notes.size >= limit.notesMax) return refuse("application_full");
    return [{ type: "NoteAdded", data }];
  }
  if (!notes.has(noteId)) return refuse("note_not_found");
  return [{ type: type === "ChangeNote" ? "NoteChanged" : "NoteRemoved", data }];
}

function decideFile(
  { type, fileId }: Extract<ApplicationCommand, { fileId: string }>,
  { files }: HeldApplication,
): Decision {
  const data = { fileId };
  if (type === "RemoveFile")
    return files.has(fileId) ? [{ type: "FileRemoved", data }] : refuse("file_not_found");
  if (files.size >= limit.filesMax) return refuse("application_full");
  return [{ type: "FileAdded", data }];
}

function evolve(state: ApplicationState, event: ApplicationEvent, at: Instant): ApplicationState {
  if (event.type === "ApplicationAdded") {
    const nothing = { notes: new Set<string>(), files: new Set<string>(), reminders: new Map() };
    return { status: "held", ...event.data, archived: false, ...nothing };
  }
  if (state.status !== "held") return state;
  if (isReminderEvent(event))
    return { ...state, reminders: evolveReminders(state.reminders, event) };
  switch (event.type) {
    case "ApplicationDescribed":
      return state;
    case "ApplicationMoved":
      return { ...state, ...event.data };
    case "ApplicationArchived":
    case "ApplicationRestored":
      return { ...state, archived: event.type === "ApplicationArchived" };
    case "NoteAdded":
      return { ...state, notes: withId(state.notes, event.data.noteId) };
    case "NoteRemoved":
      return { ...state, notes: withoutId(state.notes, event.data.noteId) };
    case "NoteChanged":
      return state;
    case "FileAdded":
      return { ...state, files: withId(state.files, event.data.fileId) };
    case "FileRemoved":
      return { ...state, files: withoutId(state.files, event.data.fileId) };
    case "ApplicationErased":
      return { status: "erased", at, files: state.files };
  }
}

const withId = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => new Set([...ids, id]);

const withoutId = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((one) => one !== id));
