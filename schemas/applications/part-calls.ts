import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { line } from "../studio/text.ts";
import { ApplicationFile, Note, Reminder, ReminderPlan } from "./application.ts";
import { applicationLimits as limit } from "./limits.ts";
import { applicationProblems as problems } from "./problems.ts";

const Params = z.object({ applicationId: Uuid });
const Done = z.object({ status: z.literal("done") });
/** Of a body with a file: base64 makes four characters of three bytes. */
const fileBodyBytesMax = Math.ceil(limit.fileBytesMax / 3) * 4 + 64 * 1024;

/** Notes, files and reminders of an application. */
export const applicationPartCalls = defineCalls({
  "POST /api/applications/:applicationId/notes": {
    summary: "Adds a note",
    access: signedIn,
    params: Params,
    body: z.object({ text: Note.shape.text }),
    status: 201,
    answer: z.object({ note: Note }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.application_full,
    ],
  },
  "PUT /api/applications/:applicationId/notes/:noteId": {
    summary: "Changes a note",
    access: signedIn,
    params: Params.extend({ noteId: Uuid }),
    body: z.object({ text: Note.shape.text }),
    answer: z.object({ note: Note }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.note_not_found,
    ],
  },
  "DELETE /api/applications/:applicationId/notes/:noteId": {
    summary: "Deletes a note",
    access: signedIn,
    params: Params.extend({ noteId: Uuid }),
    answer: Done,
    problems: [problems.application_not_found, problems.note_not_found],
  },
  "POST /api/applications/:applicationId/files": {
    summary: "Stores a file with an application",
    access: signedIn,
    params: Params,
    body: z.object({ name: line(limit.lineCharsMax).pipe(z.string().min(1)), content: z.base64() }),
    bodyBytesMax: fileBodyBytesMax,
    status: 201,
    answer: z.object({ file: ApplicationFile }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.application_full,
      problems.file_too_large,
    ],
  },
  "GET /api/applications/:applicationId/files/:fileId": {
    summary: "A file of an application, as a download",
    access: signedIn,
    params: Params.extend({ fileId: Uuid }),
    file: "application/octet-stream",
    answer: z.never(),
    problems: [problems.application_not_found, problems.file_not_found],
  },
  "DELETE /api/applications/:applicationId/files/:fileId": {
    summary: "Deletes a file",
    access: signedIn,
    params: Params.extend({ fileId: Uuid }),
    answer: Done,
    problems: [problems.application_not_found, problems.file_not_found],
  },
  "POST /api/applications/:applicationId/reminders": {
    summary: "Plans a reminder",
    access: signedIn,
    params: Params,
    body: ReminderPlan,
    status: 201,
    answer: z.object({ reminder: Reminder }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.application_full,
      problems.zone_unknown,
      problems.reminder_past,
    ],
  },
  "PATCH /api/applications/:applicationId/reminders/:reminderId": {
    summary: "Puts a reminder off, changes it, or marks it as done",
    access: signedIn,
    params: Params.extend({ reminderId: Uuid }),
    body: ReminderPlan.partial().extend({ done: z.boolean().optional() }),
    answer: z.object({ reminder: Reminder }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.reminder_not_found,
      problems.zone_unknown,
      problems.reminder_past,
    ],
  },
  "DELETE /api/applications/:applicationId/reminders/:reminderId": {
    summary: "Deletes a reminder",
    access: signedIn,
    params: Params.extend({ reminderId: Uuid }),
    answer: Done,
    problems: [problems.application_not_found, problems.reminder_not_found],
  },
});
