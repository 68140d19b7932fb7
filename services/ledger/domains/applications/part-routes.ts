import { addCalls, type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { TimeZone } from "@pro-talent/schemas/accounts/profile";
import type { ReminderPlan } from "@pro-talent/schemas/applications/application";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import type { FastifyInstance } from "fastify";

import { type Acting, actingOf } from "../../acting.ts";
import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import {
  type ApplicationRoutes,
  idFrom,
  inTurnOf,
  issueCommand,
  requireTracker,
} from "./acting.ts";
import { applicationsOf, remindersOf } from "./read-models.ts";
import { readFileOf, removeFile, storeFile } from "./stored-files.ts";
import { type ApplicationParts, partsOf, reminderView } from "./views.ts";

const done = { status: "done" as const };

/** The calls about notes, files and reminders of an application. */
export function addPartRoutes(app: FastifyInstance, routes: ApplicationRoutes): void {
  addCalls(app, applicationPartCalls, {
    ...noteHandlers(routes),
    ...fileHandlers(routes),
    ...reminderHandlers(routes),
  });
}

type Handlers<Part extends string> = Pick<
  CallHandlers<typeof applicationPartCalls>,
  Extract<keyof typeof applicationPartCalls, `${string}/${Part}${string}`>
>;

const noteHandlers = ({ context }: ApplicationRoutes): Handlers<"notes"> => ({
  "POST /api/applications/:applicationId/notes": async ({ params, body }, caller) => {
    const acting = actingOf(context, caller);
    const note = { ...params, noteId: idFrom(acting, "note"), ...body };
    return await writeNote(context, acting, "AddNote", note).catch(unavailable);
  },
  "PUT /api/applications/:applicationId/notes/:noteId": async ({ params, body }, caller) => {
    const acting = actingOf(context, caller);
    const note = { ...params, ...body };
    return await writeNote(context, acting, "ChangeNote", note).catch(unavailable);
  },
  "DELETE /api/applications/:applicationId/notes/:noteId": async ({ params }, caller) => {
    const { applicationId, noteId } = params;
    const acting = actingOf(context, caller);
    const command = { type: "RemoveNote", accountId: acting.accountId, noteId } as const;
    await issueCommand(context, acting, { applicationId, command }).catch(unavailable);
    return done;
  },
});

const fileHandlers = (routes: ApplicationRoutes): Handlers<"files"> => {
  const { context } = routes;
  return {
    "POST /api/applications/:applicationId/files": async ({ params, body }, caller) => {
      const content = Buffer.from(body.content, "base64");
      if (content.length > limit.fileBytesMax) throw new ProblemError(problems.file_too_large);
      const file = { ...params, name: body.name, content };
      return await addFile(routes, actingOf(context, caller), file).catch(unavailable);
    },
    "GET /api/applications/:applicationId/files/:fileId": async ({ params }, caller) => {
      const acting = actingOf(context, caller);
      const { applicationId, fileId } = params;
      const parts = await ownParts(context, acting, applicationId).catch(unavailable);
      const file = parts.files.find((one) => one.fileId === fileId);
      const content = file && (await readFileOf(routes.files, fileId, file));
      if (content === undefined) throw new ProblemError(problems.file_not_found);
      return new FileAnswer(content, "application/octet-stream", file?.name);
    },
    "DELETE /api/applications/:applicationId/files/:fileId": async ({ params }, caller) => {
      const { applicationId, fileId } = params;
      const acting = actingOf(context, caller);
      const command = { type: "RemoveFile", accountId: acting.accountId, fileId } as const;
      await issueCommand(context, acting, { applicationId, command }).catch(unavailable);
      await removeFile(routes.files, fileId);
      return done;
    },
  };
};

const reminderHandlers = ({ context }: ApplicationRoutes): Handlers<"reminders"> => ({
  "POST /api/applications/:applicationId/reminders": async ({ params, body }, caller) => {
    const acting = actingOf(context, caller);
    const { accountId } = acting;
    const { text, ...plan } = body;
    const reminderId = idFrom(acting, "reminder");
    const command = { type: "PlanReminder", accountId, reminderId, plan } as const;
    const reminder = { ...params, reminderId, text, zone: plan.zone };
    return await writeReminder(context, acting, reminder, command).catch(unavailable);
  },
  "PATCH /api/applications/:applicationId/reminders/:reminderId": async (
    { params, body },
    caller,
  ) => {
    const acting = actingOf(context, caller);
    const { accountId } = acting;
    const { reminderId } = params;
    const { text, done: isDone, ...plan } = body;
    const change = { plan, hasText: text !== undefined, done: isDone };
    const command = { type: "ChangeReminder", accountId, reminderId, ...change } as const;
    const reminder = { ...params, text, zone: plan.zone };
    return await writeReminder(context, acting, reminder, command).catch(unavailable);
  },
  "DELETE /api/applications/:applicationId/reminders/:reminderId": async ({ params }, caller) => {
    const { applicationId, reminderId } = params;
    const acting = actingOf(context, caller);
    const command = { type: "RemoveReminder", accountId: acting.accountId, reminderId } as const;
    await issueCommand(context, acting, { applicationId, command }).catch(unavailable);
    return done;
  },
});

/** @throws ProblemError when the application is not the account's, or its plan does not include the tracker */
async function requireOwn(
  context: HttpContext,
  acting: Acting,
  applicationId: string,
): Promise<void> {
  const own = await applicationsOf(context.ledger.sql, acting.accountId, [applicationId]);
  if (own.length === 0) throw new ProblemError(problems.application_not_found);
  await requireTracker(context, acting);
}

/** @throws ProblemError when the application is not the account's */
async function ownParts(
  context: HttpContext,
  { accountId }: Acting,
  applicationId: string,
): Promise<ApplicationParts> {
  const [row] = await applicationsOf(context.ledger.sql, accountId, [applicationId]);
  const parts = row && (await partsOf(context, [row.applicationId])).get(row.applicationId);
  if (parts === undefined) throw new ProblemError(problems.application_not_found);
  return parts;
}

type NoteWords = {
  readonly applicationId: string;
  readonly noteId: string;
  readonly text: string;
};

async function writeNote(
  context: HttpContext,
  acting: Acting,
  type: "AddNote" | "ChangeNote",
  { applicationId, noteId, text }: NoteWords,
) {
  const { accountId } = acting;
  await requireOwn(context, acting, applicationId);
  await issueCommand(context, acting, {
    applicationId,
    command: { type, accountId, noteId },
    sealing: { type: type === "AddNote" ? "NoteAdded" : "NoteChanged", words: { text } },
  });
  const { notes } = await ownParts(context, acting, applicationId);
  const note = notes.find((one) => one.noteId === noteId);
  if (note === undefined) throw new ProblemError(problems.application_not_found);
  return { note };
}

type NewFile = {
  readonly applicationId: string;
  readonly name: string;
  readonly content: Buffer;
};

async function addFile(
  { context, files }: ApplicationRoutes,
  acting: Acting,
  { applicationId, ...upload }: NewFile,
) {
  const { accountId } = acting;
  await requireOwn(context, acting, applicationId);
  const fileId = idFrom(acting, "file");
  return await inTurnOf(context, acting, async () => {
    const found = await fileOf(context, acting, applicationId, fileId);
    // A repeated request finds the file that it stored.
    if (found !== undefined) return { file: found };
    const words = await storeFile(files, fileId, upload);
    try {
      await issueCommand(context, acting, {
        applicationId,
        command: { type: "AddFile", accountId, fileId },
        sealing: { type: "FileAdded", words },
      });
    } catch (error) {
      await removeFile(files, fileId);
      throw error;
    }
    const file = await fileOf(context, acting, applicationId, fileId);
    if (file === undefined) throw new ProblemError(problems.application_not_found);
    return { file };
  });
}

async function fileOf(
  context: HttpContext,
  acting: Acting,
  applicationId: string,
  fileId: string,
): Promise<ApplicationParts["files"][number] | undefined> {
  const { files } = await ownParts(context, acting, applicationId);
  return files.find((file) => file.fileId === fileId);
}

type ReminderWords = {
  readonly applicationId: string;
  readonly reminderId: string;
  /** Undefined: as it was. */
  readonly text: string | undefined;
  readonly zone: ReminderPlan["zone"] | undefined;
};

async function writeReminder(
  context: HttpContext,
  acting: Acting,
  { applicationId, reminderId, text, zone }: ReminderWords,
  command: Parameters<typeof issueCommand>[2]["command"],
) {
  const { accountId, issued } = acting;
  await requireOwn(context, acting, applicationId);
  if (zone !== undefined && !TimeZone.safeParse(zone).success)
    throw new ProblemError(problems.zone_unknown);
  await issueCommand(context, acting, {
    applicationId,
    command,
    ...(text !== undefined && { sealing: { type: "ReminderPlanned", words: { text } } }),
  });
  const [rows, { reminderTexts }] = await Promise.all([
    remindersOf(context.ledger.sql, accountId, [applicationId]),
    ownParts(context, acting, applicationId),
  ]);
  const row = rows.find((one) => one.reminderId === reminderId);
  if (row === undefined) throw new ProblemError(problems.reminder_not_found);
  return { reminder: reminderView(row, reminderTexts.get(reminderId) ?? "", issued.now) };
}
