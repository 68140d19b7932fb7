import type { ApplicationEvent } from "@pro-talent/schemas/applications/events";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { applicationEvents } from "./applications.ts";
import { applicationDecider } from "./decider.ts";

const given = specification(applicationDecider);
const [accountId, stageId, other] = ["account", "stage", "other stage"];
const sent = { linkIds: ["link"], cv: null };
const place = { stageId, rank: "V00001" };
const adds = { type: "AddApplication", accountId, ...place, sent } as const;
const added: ApplicationEvent = { type: "ApplicationAdded", data: { accountId, ...place } };
const erased: ApplicationEvent = { type: "ApplicationErased", data: { reason: "deleted" } };
const note = (noteId: string): ApplicationEvent => ({ type: "NoteAdded", data: { noteId } });
const file = (fileId: string): ApplicationEvent => ({ type: "FileAdded", data: { fileId } });

describe("an application", () => {
  it("is added once, with what was sent", () => {
    const described: ApplicationEvent = { type: "ApplicationDescribed", data: sent };
    given([]).when(adds).then([added, described]);
    given([added]).when(adds).thenNothingChanges();
    given([added, erased]).when(adds).thenNothingChanges();
  });

  it("is known to its own account alone", () => {
    const command = { type: "ArchiveApplication", accountId: "another account" } as const;
    given([added]).when(command).thenRefuses("application_not_found");
    given([]).when(command).thenRefuses("application_not_found");
  });

  it("is moved to a stage, or within its own", () => {
    const move = (to: typeof place) => ({ type: "MoveApplication", accountId, ...to }) as const;
    const [next, later] = [
      { stageId: other, rank: "V" },
      { stageId, rank: "W" },
    ];
    given([added])
      .when(move(next))
      .then([{ type: "ApplicationMoved", data: next }]);
    given([added])
      .when(move(later))
      .then([{ type: "ApplicationMoved", data: later }]);
    given([added]).when(move(place)).thenNothingChanges();
  });

  it("is archived and restored, each once", () => {
    const archives = { type: "ArchiveApplication", accountId } as const;
    const restores = { type: "RestoreApplication", accountId } as const;
    const archived: ApplicationEvent = { type: "ApplicationArchived", data: {} };
    given([added]).when(archives).then([archived]);
    given([added, archived]).when(archives).thenNothingChanges();
    given([added, archived])
      .when(restores)
      .then([{ type: "ApplicationRestored", data: {} }]);
    given([added]).when(restores).thenNothingChanges();
  });

  it("is deleted by its applicant, or with the account, and gone then", () => {
    const deletes = { type: "DeleteApplication", accountId } as const;
    given([added]).when(deletes).then([erased]);
    given([added, erased]).when(deletes).thenRefuses("application_not_found");
    given([added])
      .when({ type: "EraseApplication" })
      .then([{ type: "ApplicationErased", data: { reason: "account-closed" } }]);
    given([added, erased]).when({ type: "EraseApplication" }).thenNothingChanges();
  });
});

describe("notes and files", () => {
  it("of an application are changed and removed while they are there", () => {
    const notes = (type: "AddNote" | "ChangeNote" | "RemoveNote") =>
      ({ type, accountId, noteId: "note" }) as const;
    given([added])
      .when(notes("AddNote"))
      .then([note("note")]);
    given([added]).when(notes("ChangeNote")).thenRefuses("note_not_found");
    const changed: ApplicationEvent = { type: "NoteChanged", data: { noteId: "note" } };
    given([added, note("note")])
      .when(notes("ChangeNote"))
      .then([changed]);
    const removed: ApplicationEvent = { type: "NoteRemoved", data: { noteId: "note" } };
    given([added, note("note")])
      .when(notes("RemoveNote"))
      .then([removed]);
    given([added, note("note"), removed])
      .when(notes("RemoveNote"))
      .thenRefuses("note_not_found");
    const removes = { type: "RemoveFile", accountId, fileId: "file" } as const;
    given([added, file("file")])
      .when(removes)
      .then([{ type: "FileRemoved", data: { fileId: "file" } }]);
    given([added]).when(removes).thenRefuses("file_not_found");
  });

  it("are no more than there may be", () => {
    const full = (max: number, one: (id: string) => ApplicationEvent) =>
      Array.from({ length: max }, (_, index) => one(`${index}`));
    given([added, ...full(limit.notesMax, note)])
      .when({ type: "AddNote", accountId, noteId: "one more" })
      .thenRefuses("application_full");
    given([added, ...full(limit.filesMax, file)])
      .when({ type: "AddFile", accountId, fileId: "one more" })
      .thenRefuses("application_full");
  });
});

it("every event that was ever stored changes a state, apart from those that change sealed words", () => {
  // A reminder is reopened after four events; the search goes up to three.
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, applicationEvents, applicationDecider)).toEqual([
    "application-described.v1.json",
    "note-changed.v1.json",
    "reminder-reopened.v1.json",
  ]);
});
