import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { line } from "../studio/text.ts";
import {
  Application,
  ApplicationDetails,
  ApplicationFile,
  HistoryEntry,
  Note,
  Reminder,
  Sent,
  Stage,
  stageKinds,
  longText,
} from "./application.ts";
import { applicationLimits as limit } from "./limits.ts";
import { applicationProblems as problems } from "./problems.ts";

const Params = z.object({ applicationId: Uuid });
const ApplicationAnswer = z.object({ application: Application });
const Done = z.object({ status: z.literal("done") });
const ids = z.array(Uuid).min(1).max(limit.bulkMax);
/** base64 makes four characters of three bytes. */
const bodyBytesMax = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 64 * 1024;

/** What a call adds. */
export const NewApplication = z.object({
  details: ApplicationDetails,
  sent: Sent.prefault({}),
  /** The first stage when absent. */
  stageId: Uuid.optional(),
  /** Its first note. */
  note: longText.min(1).optional(),
});
export type NewApplication = z.infer<typeof NewApplication>;

/** What a file said of a field, where it could not be taken over as it was. */
export const ImportFinding = z.object({
  /** Of the table or calendar, from 1. */
  row: z.int(),
  column: z.string(),
  code: z.enum([
    "no-company",
    "not-a-date",
    "not-a-salary",
    "shortened",
    "unknown-stage",
    "no-place",
  ]),
  text: z.string(),
});

export const suggestionCodes = [
  /** Sent a while ago; nothing was heard, nothing was opened. */
  "silent-not-opened",
  /** Sent a while ago; a link was opened since. */
  "opened-no-answer",
  /** A link was opened today or yesterday. */
  "opened-now",
  /** An interview was entered a while ago. */
  "after-interview",
  /** The deadline is near, and it is not sent. */
  "deadline-near",
] as const;

export const Suggestion = z.object({
  applicationId: Uuid,
  code: z.enum(suggestionCodes),
  /** Since when, or until when for a deadline. */
  days: z.int().nonnegative(),
  /** Of its links, where the code is about opens. */
  opens: z.int().nonnegative(),
  lastOpenedAt: Instant.nullable(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** How many applications reached a kind of stage, and how long they stayed. */
const StageStatistics = z.object({
  kind: z.enum(stageKinds),
  /** That were ever in a stage of this kind, or in one after it. */
  reached: z.int(),
  now: z.int(),
  /** Median of whole days of those that left it; null when none has. */
  medianDays: z.number().nullable(),
});

/** For account holders about their own applications. Reads and exports need no plan. */
export const applicationCalls = defineCalls({
  "GET /api/applications": {
    summary: "The applications of the account with its pipeline",
    access: signedIn,
    mayLag: true,
    answer: z.object({
      applications: z.array(Application),
      /** In the order of the board. */
      stages: z.array(Stage),
      /** Whether the plan includes the tracker: without it applications are read, exported and deleted. */
      included: z.boolean(),
      applicationsMax: z.int(),
    }),
  },
  "POST /api/applications": {
    summary: "Adds applications: one, or those of a reviewed import",
    access: signedIn,
    body: z.object({ applications: z.array(NewApplication).min(1).max(limit.bulkMax) }),
    bodyBytesMax: 2 * 1024 * 1024,
    status: 201,
    answer: z.object({ applications: z.array(Application) }),
    problems: [
      problems.tracker_not_included,
      problems.applications_full,
      problems.stage_not_found,
      problems.link_not_found,
    ],
  },
  "GET /api/applications/:applicationId": {
    summary: "One application with its notes, files, reminders and past",
    access: signedIn,
    params: Params,
    answer: z.object({
      application: Application,
      notes: z.array(Note),
      files: z.array(ApplicationFile),
      reminders: z.array(Reminder),
      history: z.array(HistoryEntry),
    }),
    problems: [problems.application_not_found],
  },
  "PATCH /api/applications/:applicationId": {
    summary: "Changes what an application states, or what was sent with it",
    access: signedIn,
    params: Params,
    body: z.object({ details: ApplicationDetails.optional(), sent: Sent.optional() }),
    answer: ApplicationAnswer,
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.link_not_found,
    ],
  },
  "POST /api/applications/moves": {
    summary: "Moves applications to a stage, in their order, before another one or to the end",
    access: signedIn,
    body: z.object({
      applicationIds: ids,
      stageId: Uuid,
      before: Uuid.nullable().default(null),
    }),
    answer: z.object({ applications: z.array(Application) }),
    problems: [
      problems.tracker_not_included,
      problems.application_not_found,
      problems.stage_not_found,
    ],
  },
  "POST /api/applications/archive": {
    summary: "Archives applications, or restores them",
    access: signedIn,
    body: z.object({ applicationIds: ids, archived: z.boolean() }),
    answer: z.object({ applications: z.array(Application) }),
    problems: [problems.tracker_not_included, problems.application_not_found],
  },
  "POST /api/applications/delete": {
    summary: "Deletes applications with all that belongs to them",
    access: signedIn,
    body: z.object({ applicationIds: ids }),
    answer: Done,
    problems: [problems.application_not_found],
  },
  "PUT /api/applications/stages": {
    summary: "Changes the pipeline; applications of a stage that is left out go where `moved` says",
    access: signedIn,
    body: z.object({
      stages: z.array(Stage).min(2).max(limit.stagesMax),
      moved: z.record(Uuid, Uuid).default({}),
    }),
    answer: z.object({ stages: z.array(Stage) }),
    problems: [problems.tracker_not_included, problems.stage_in_use, problems.stage_not_found],
  },
  "GET /api/applications/reminders": {
    summary: "Reminders that are not done, the earliest first, up to a day in the caller's zone",
    access: signedIn,
    mayLag: true,
    query: z.object({ until: Day, zone: z.string().max(64) }),
    answer: z.object({ reminders: z.array(Reminder) }),
    problems: [problems.zone_unknown],
  },
  "GET /api/applications/suggestions": {
    summary: "What could be done next, from silence, deadlines and opens; the most useful first",
    access: signedIn,
    answer: z.object({
      suggestions: z.array(Suggestion),
      /** Whether opens could be asked for; without them only silence and deadlines count. */
      opensKnown: z.boolean(),
    }),
    problems: [problems.tracker_not_included],
  },
  "GET /api/applications/statistics": {
    summary: "How far applications came, and how long they stayed where",
    access: signedIn,
    query: z.object({ from: Day.optional(), to: Day.optional() }),
    answer: z.object({
      applications: z.int(),
      /** In the order of kinds. */
      stages: z.array(StageStatistics),
      sources: z.array(
        z.object({ source: z.string(), applications: z.int(), interviews: z.int() }),
      ),
    }),
  },
  "POST /api/applications/posting": {
    summary: "Reads company, role and place of a posting from the metadata of its page",
    access: signedIn,
    body: z.object({ url: line(limit.urlCharsMax) }),
    answer: ApplicationDetails.pick({ company: true, role: true, place: true }).extend({
      company: z.string(),
    }),
    problems: [problems.tracker_not_included, problems.posting_unreadable],
  },
  "POST /api/applications/import": {
    summary: "Reads a CSV table or an ICS calendar into applications to review; nothing is stored",
    access: signedIn,
    body: z.object({ content: z.base64() }),
    bodyBytesMax: bodyBytesMax(limit.importBytesMax),
    answer: z.object({
      source: z.enum(["csv", "ics"]),
      applications: z.array(NewApplication),
      findings: z.array(ImportFinding),
    }),
    problems: [problems.tracker_not_included, problems.import_unreadable],
  },
  "GET /api/applications/export/:format": {
    summary: "All applications as a CSV table, or deadlines and reminders as an ICS calendar",
    access: signedIn,
    params: z.object({ format: z.enum(["csv", "ics"]) }),
    file: "application/octet-stream",
    answer: z.never(),
  },
});
