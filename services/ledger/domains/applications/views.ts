import {
  type Application,
  type ApplicationDetails,
  type HistoryEntry,
  KeptDetails,
  type Note,
  type Reminder,
} from "@pro-talent/schemas/applications/application";
import {
  type ApplicationEvent,
  SealedFile,
  SealedText,
} from "@pro-talent/schemas/applications/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { idOf, readStored, type StoredEvent, storedEventColumns } from "../../kernel/events.ts";
import type { Reading } from "../../kernel/module.ts";
import type { Subject } from "../../kernel/subjects.ts";
import { applicationEvents } from "./applications.ts";
import { type Pipeline, pipelineOf } from "./pipeline/pipelines.ts";
import {
  type ApplicationRow,
  applicationsOf,
  type ReminderRow,
  remindersOf,
} from "./read-models.ts";
import { dueAtOf } from "./reminders/decider.ts";

/**
 * What an applicant wrote of applications, by their ids, without those whose key is destroyed: of all, or of
 * those of these ids.
 */
export async function detailsOf(
  { ledger: { sql }, subjects }: Reading,
  accountId: string,
  applicationIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, ApplicationDetails>> {
  const described = await sql<{ id: string; sealed: Buffer | null }[]>`
    select a.application_id::text as id, e.sealed
      from ledger.application a, lateral (
        select sealed from ledger.event
         where stream = 'application-' || a.application_id::text and type = 'ApplicationDescribed'
         order by version desc limit 1) e
     where a.account_id = ${accountId}
       and (${applicationIds}::uuid[] is null or a.application_id = any (${applicationIds}::uuid[]))`;
  const keys = await subjects.findAll(described.map(({ id }) => id));
  return new Map(
    described.flatMap(({ id, sealed }) => {
      const subject = keys.get(id);
      if (sealed === null || subject === undefined) return [];
      return [[id, subject.open(sealed, KeptDetails)] as const];
    }),
  );
}

/** An account's applications as boards and tables show them: all, or those of these ids. */
export async function viewsOf(
  context: Reading,
  accountId: string,
  applicationIds: readonly string[] | null = null,
): Promise<{ readonly applications: readonly Application[]; readonly pipeline: Pipeline }> {
  const { sql } = context.ledger;
  const [rows, details, reminders, pipeline] = await Promise.all([
    applicationsOf(sql, accountId, applicationIds),
    detailsOf(context, accountId, applicationIds),
    remindersOf(sql, accountId, applicationIds),
    pipelineOf(context, accountId),
  ]);
  const byApplication = Map.groupBy(reminders, ({ applicationId }) => applicationId);
  const applications = rows.flatMap((row) => {
    const own = details.get(row.applicationId);
    if (own === undefined) return [];
    return [viewOf(row, own, byApplication.get(row.applicationId) ?? [], pipeline)];
  });
  return { applications, pipeline };
}

function viewOf(
  row: ApplicationRow,
  details: ApplicationDetails,
  reminders: readonly ReminderRow[],
  pipeline: Pipeline,
): Application {
  const { applicationId, linkIds, cvId, cvVersion, rank, createdAt, changedAt, archivedAt } = row;
  const due = reminders.filter(({ done }) => !done).map(dueAtOf);
  return {
    applicationId,
    details,
    sent: { linkIds: [...linkIds], cv: cvId === null ? null : { cvId, version: cvVersion } },
    stageId: pipeline.now(row.stageId),
    rank,
    stageSince: row.steps.at(-1)?.at ?? createdAt,
    createdAt,
    changedAt,
    archivedAt,
    remindAt: due.toSorted()[0] ?? null,
    notes: row.notes,
    files: row.fileIds.length,
  };
}

/** A reminder as its owner sees it. */
export function reminderView(row: ReminderRow, text: string, now: Instant): Reminder {
  const { applicationId, reminderId, at, zone, byMail, done } = row;
  const dueAt = dueAtOf(row);
  const isDue = row.due || dueAt <= now;
  const status = done ? "done" : isDue ? "due" : "planned";
  return { applicationId, reminderId, at, zone, byMail, text, dueAt, status };
}

/** Texts of reminders, by their ids. */
export async function reminderTextsOf(
  { ledger: { sql }, subjects }: Reading,
  reminders: readonly Pick<ReminderRow, "applicationId" | "reminderId">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(reminders.map(({ applicationId }) => applicationId))];
  const [planned, keys] = await Promise.all([
    sql<{ keyId: string; reminderId: string; sealed: Buffer }[]>`
      select distinct on (stream, data::jsonb->>'reminderId')
             key_id as "keyId", data::jsonb->>'reminderId' as "reminderId", sealed
        from ledger.event
       where stream = any (${ids.map((id) => applicationEvents.streamOf(id))}::text[])
         and type = 'ReminderPlanned' and sealed is not null
       order by stream, data::jsonb->>'reminderId', version desc`,
    subjects.findAll(ids),
  ]);
  return new Map(
    planned.flatMap(({ keyId, reminderId, sealed }) => {
      const subject = keys.get(keyId);
      return subject ? [[reminderId, subject.open(sealed, SealedText).text] as const] : [];
    }),
  );
}

type SealedEvent = StoredEvent & { readonly sealed: Buffer | null };

/** What belongs to an application, with the applicant's words. */
export type ApplicationParts = {
  readonly notes: readonly Note[];
  readonly files: readonly (SealedFile & { readonly fileId: string; readonly addedAt: Instant })[];
  /** Texts of reminders, by their ids. */
  readonly reminderTexts: ReadonlyMap<string, string>;
  /** The newest first, with the stages as they were. */
  readonly history: readonly HistoryEntry[];
};

/** What belongs to applications, by their ids, without those whose key is destroyed. */
export async function partsOf(
  { ledger: { sql }, subjects }: Reading,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, ApplicationParts>> {
  const streams = applicationIds.map((id) => applicationEvents.streamOf(id));
  const [events, keys] = await Promise.all([
    sql<SealedEvent[]>`
      select ${storedEventColumns(sql)}, e.sealed from ledger.event e
       where stream = any (${streams}::text[]) order by stream, version`,
    subjects.findAll(applicationIds),
  ]);
  const collected = new Map([...keys].map(([id, key]) => [id, new CollectedParts(key)]));
  for (const event of events) collected.get(idOf(event.stream))?.add(event);
  return new Map([...collected].map(([id, parts]) => [id, parts.parts()]));
}

/** Follows the events of an application, opening what was sealed beside them. */
class CollectedParts {
  readonly #subject: Subject;
  readonly #notes = new Map<string, Note>();
  readonly #files = new Map<string, ApplicationParts["files"][number]>();
  readonly #texts = new Map<string, string>();
  readonly #history: HistoryEntry[] = [];
  #stageId = "";

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  add(stored: SealedEvent): void {
    const { event, occurredAt: at } = readStored(applicationEvents, stored);
    const { sealed } = stored;
    switch (event.type) {
      case "ApplicationAdded":
        this.#stageId = event.data.stageId;
        this.#history.push({ kind: "added", at, stageId: this.#stageId });
        return;
      case "ApplicationMoved": {
        const { stageId: to } = event.data;
        const from = this.#stageId;
        if (from !== to) this.#history.push({ kind: "moved", at, from, to });
        this.#stageId = to;
        return;
      }
      case "ApplicationArchived":
      case "ApplicationRestored":
        this.#history.push({
          kind: event.type === "ApplicationArchived" ? "archived" : "restored",
          at,
        });
        return;
      case "ReminderCameDue":
        this.#history.push({ kind: "reminded", at, reminderId: event.data.reminderId });
        return;
      case "NoteRemoved":
        this.#notes.delete(event.data.noteId);
        return;
      case "FileRemoved":
        this.#files.delete(event.data.fileId);
        return;
      case "ReminderRemoved":
        this.#texts.delete(event.data.reminderId);
        return;
      default:
        if (sealed !== null) this.#addSealed(event, sealed, at);
    }
  }

  #addSealed(event: ApplicationEvent, sealed: Buffer, at: Instant): void {
    switch (event.type) {
      case "NoteAdded":
      case "NoteChanged": {
        const { noteId } = event.data;
        const { text } = this.#subject.open(sealed, SealedText);
        const before = this.#notes.get(noteId);
        const times = { writtenAt: before?.writtenAt ?? at, editedAt: before ? at : null };
        this.#notes.set(noteId, { noteId, text, ...times });
        return;
      }
      case "FileAdded": {
        const { fileId } = event.data;
        const file = this.#subject.open(sealed, SealedFile);
        this.#files.set(fileId, { ...file, fileId, addedAt: at });
        return;
      }
      case "ReminderPlanned":
        this.#texts.set(event.data.reminderId, this.#subject.open(sealed, SealedText).text);
        return;
      default:
    }
  }

  parts(): ApplicationParts {
    return {
      notes: [...this.#notes.values()].toReversed(),
      files: [...this.#files.values()],
      reminderTexts: this.#texts,
      history: this.#history.toReversed(),
    };
  }
}
