import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { ApplicationEvent } from "@pro-talent/schemas/applications/events";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { LocalTime } from "@pro-talent/schemas/primitives/local-time";
import { z } from "zod";

import { column, optional, readModel } from "../../kernel/read-model.ts";
import { applicationEvents } from "./applications.ts";
import { evolveReminder, isReminderEvent } from "./reminders/decider.ts";

/** Stages of an application, with the times at which it came there. */
const Steps = z.array(z.object({ stageId: Uuid, at: Instant }));

type Parts = { readonly notes: number; readonly file_ids: readonly string[] };

/** The notes and files of an application after an event. */
function partsAfter({ notes, file_ids }: Parts, event: ApplicationEvent): Parts {
  switch (event.type) {
    case "NoteAdded":
      return { notes: notes + 1, file_ids };
    case "NoteRemoved":
      return { notes: notes - 1, file_ids };
    case "FileAdded":
      return { notes, file_ids: [...file_ids, event.data.fileId] };
    case "FileRemoved":
      return { notes, file_ids: file_ids.filter((id) => id !== event.data.fileId) };
    default:
      return { notes, file_ids };
  }
}

/** The applications that exist: whose they are, and where they stand. */
export const applicationRows = readModel({
  table: "application",
  version: 1,
  mode: "inline",
  purpose: "Lists the applications of an account, and counts how far they came",
  retention: "Until the application is deleted, or its applicant's account",
  events: applicationEvents,
  key: { application_id: column.uuid("pseudonym", "Names the application") },
  columns: {
    account_id: column.uuid("pseudonym", "Names the applicant"),
    stage_id: column.uuid("pseudonym", "Names the stage"),
    rank: column.text("operational", "Orders the applications of a stage"),
    steps: column.json(Steps)("coarse", "The stages that it was in, with their times"),
    created_at: column.instant("operational", "When it was added"),
    changed_at: column.instant("operational", "When its applicant changed it last"),
    archived_at: optional(column.instant("operational", "When it was archived")),
    link_ids: column.texts("pseudonym", "Names the links that were sent"),
    cv_id: optional(column.uuid("pseudonym", "Names the CV that was sent")),
    cv_version: optional(column.integer("operational", "Of that CV; none for the current one")),
    notes: column.integer("operational", "How many notes it has"),
    file_ids: column.texts("pseudonym", "Names the stored files"),
  },
  evolve: (row, { event, occurredAt: at }) => {
    if (event.type === "ApplicationAdded") {
      const { accountId, stageId, rank } = event.data;
      return {
        account_id: accountId,
        stage_id: stageId,
        rank,
        steps: [{ stageId, at }],
        created_at: at,
        changed_at: at,
        archived_at: null,
        link_ids: [],
        cv_id: null,
        cv_version: null,
        notes: 0,
        file_ids: [],
      };
    }
    if (row === null) return null;
    const changed = { ...row, changed_at: at };
    switch (event.type) {
      case "ApplicationDescribed": {
        const { linkIds, cv } = event.data;
        const sent = { cv_id: cv?.cvId ?? null, cv_version: cv?.version ?? null };
        return { ...changed, link_ids: linkIds, ...sent };
      }
      case "ApplicationMoved": {
        const { stageId, rank } = event.data;
        if (stageId === row.stage_id) return { ...row, rank };
        return { ...changed, stage_id: stageId, rank, steps: [...row.steps, { stageId, at }] };
      }
      case "ApplicationArchived":
        return { ...changed, archived_at: at };
      case "ApplicationRestored":
        return { ...changed, archived_at: null };
      case "ReminderCameDue":
        return row;
      case "ApplicationErased":
        return null;
      default:
        return { ...changed, ...partsAfter(row, event) };
    }
  },
  indexes: [{ on: "(account_id)" }],
});

/** The reminders of applications. When they are due follows from the rules of their zones. */
export const reminderRows = readModel({
  table: "application_reminder",
  version: 1,
  mode: "inline",
  purpose: "Lists the reminders of an account",
  retention: "Until the reminder is deleted, or its application",
  events: applicationEvents,
  key: {
    application_id: column.uuid("pseudonym", "Names the application"),
    reminder_id: column.uuid("pseudonym", "Names the reminder"),
  },
  columns: {
    local_time: column.text("operational", "When it is due, by the clocks of its zone"),
    zone: column.text("coarse", "The zone"),
    by_mail: column.boolean("operational", "Whether it is mailed"),
    due: column.boolean("operational", "Whether its time has come"),
    done: column.boolean("operational", "Whether it is done"),
    times: column.integer("operational", "How often it came due"),
  },
  keyOf: ({ id, event }) => {
    if (event.type === "ApplicationErased") return "every row of the stream";
    if (!isReminderEvent(event)) return null;
    return { application_id: id, reminder_id: event.data.reminderId };
  },
  evolve: (row, { event }) => {
    if (!isReminderEvent(event)) return null;
    const before = row && {
      ...row,
      at: LocalTime.parse(row.local_time),
      byMail: row.by_mail,
    };
    const after = evolveReminder(before ?? undefined, event);
    if (after === undefined) return null;
    const { at, zone, byMail, due, done, times } = after;
    return { local_time: at, zone, by_mail: byMail, due, done, times };
  },
});

const instant = z.int().transform(instantFromMs);

/** Most are empty, and reading thousands of empty arrays takes long: those arrive as null. */
const ids = z
  .array(z.string())
  .nullable()
  .transform((some) => some ?? []);

const Row = z.object({
  applicationId: z.string(),
  accountId: z.string(),
  stageId: z.string(),
  rank: z.string(),
  steps: Steps,
  createdAt: instant,
  changedAt: instant,
  archivedAt: instant.nullable(),
  linkIds: ids,
  cvId: z.string().nullable(),
  cvVersion: z.int().nullable(),
  notes: z.int(),
  fileIds: ids,
});
export type ApplicationRow = z.infer<typeof Row>;

/** Applications of an account, the oldest first: all, or those of these ids. */
export async function applicationsOf(
  sql: Queryable,
  accountId: string,
  applicationIds: readonly string[] | null = null,
): Promise<readonly ApplicationRow[]> {
  const rows = await sql<object[]>`
    select application_id as "applicationId", account_id as "accountId", stage_id as "stageId", rank, steps,
           (extract(epoch from created_at) * 1000)::bigint as "createdAt",
           (extract(epoch from changed_at) * 1000)::bigint as "changedAt",
           (extract(epoch from archived_at) * 1000)::bigint as "archivedAt",
           nullif(link_ids, '{}') as "linkIds", cv_id as "cvId", cv_version as "cvVersion", notes,
           nullif(file_ids, '{}') as "fileIds"
      from ledger.application
     where account_id = ${accountId}
       and (${applicationIds}::uuid[] is null or application_id = any (${applicationIds}::uuid[]))
     order by created_at, application_id`;
  return z.array(Row).parse(rows);
}

const ReminderRow = z.object({
  applicationId: z.string(),
  reminderId: z.string(),
  at: LocalTime,
  zone: z.string(),
  byMail: z.boolean(),
  due: z.boolean(),
  done: z.boolean(),
});
export type ReminderRow = z.infer<typeof ReminderRow>;

/** Reminders of an account: of all its applications, or of those of these ids. */
export async function remindersOf(
  sql: Queryable,
  accountId: string,
  applicationIds: readonly string[] | null = null,
): Promise<readonly ReminderRow[]> {
  const rows = await sql<object[]>`
    select r.application_id as "applicationId", r.reminder_id as "reminderId", r.local_time as at, r.zone,
           r.by_mail as "byMail", r.due, r.done
      from ledger.application a join ledger.application_reminder r using (application_id)
     where a.account_id = ${accountId}
       and (${applicationIds}::uuid[] is null or a.application_id = any (${applicationIds}::uuid[]))`;
  return z.array(ReminderRow).parse(rows);
}

/** Those of these files that an application still has. */
export async function usedFiles(
  sql: Queryable,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ fileId: string }[]>`
    select distinct used as "fileId" from ledger.application, unnest(file_ids) used
     where used = any (${fileIds}::text[])`;
  return new Set(rows.map(({ fileId }) => fileId));
}
