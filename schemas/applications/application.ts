import { z } from "zod";

import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { LocalTime } from "../primitives/local-time.ts";
import { line } from "../studio/text.ts";
import { applicationLimits as limit } from "./limits.ts";

/** What a stage means, whatever it is called: for statistics and suggestions. */
export const stageKinds = [
  /** Not sent yet. */
  "saved",
  /** Sent, without an answer. */
  "applied",
  "interviewing",
  "offered",
  "accepted",
  /** By the company, or by silence. */
  "rejected",
  /** By the applicant. */
  "withdrawn",
] as const;
export type StageKind = (typeof stageKinds)[number];

/** A step of an account's pipeline. Names of stages are sealed, ids are not. */
export const Stage = z.object({
  stageId: Uuid,
  kind: z.enum(stageKinds),
  /** Empty: the usual name of its kind in the language of the reader. */
  name: line(limit.lineCharsMax).default(""),
});
export type Stage = z.infer<typeof Stage>;

const text = line(limit.lineCharsMax).default("");
/** What is written in several lines: notes, and what to be reminded of. */
export const longText = z.string().trim().max(limit.noteCharsMax);

/** Before taxes. */
export const Salary = z
  .object({
    from: z.int().nonnegative().max(1_000_000_000).nullable(),
    to: z.int().nonnegative().max(1_000_000_000).nullable(),
    /** ISO 4217. */
    currency: z.string().regex(/^[A-Z]{3}$/u),
    per: z.enum(["year", "month", "hour"]),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, "from above to");
export type Salary = z.infer<typeof Salary>;

export const Contact = z.object({
  contactId: Uuid,
  name: line(limit.lineCharsMax).pipe(z.string().min(1)),
  role: text,
  email: text,
  phone: text,
  note: text,
});
export type Contact = z.infer<typeof Contact>;

/** What an applicant writes of an application. All of it is sealed. */
export const ApplicationDetails = z.object({
  company: line(limit.lineCharsMax).pipe(z.string().min(1)),
  role: text,
  place: text,
  /** Where it was found, such as the name of a site or a person. */
  source: text,
  /** The posting, as it was typed; whether it leads anywhere is asked when it is shown. */
  jobUrl: line(limit.urlCharsMax).default(""),
  salary: Salary.nullable().default(null),
  /** Until when to apply. */
  deadline: Day.nullable().default(null),
  appliedOn: Day.nullable().default(null),
  contacts: z.array(Contact).max(limit.contactsMax).default([]),
});
export type ApplicationDetails = z.infer<typeof ApplicationDetails>;

const KeptContact = Contact.extend({
  name: z.string(),
  role: z.string(),
  email: z.string(),
  phone: z.string(),
  note: z.string(),
});

/** The same as it is kept and answered: lines were cleaned when they were written. */
export const KeptDetails = ApplicationDetails.extend({
  company: z.string(),
  role: z.string(),
  place: z.string(),
  source: z.string(),
  jobUrl: z.string(),
  contacts: z.array(KeptContact),
});

/** What was sent with an application: references to the account's own links and CVs. */
export const Sent = z.object({
  linkIds: z.array(Uuid).max(limit.linksMax).default([]),
  /** `version` null: the current one. */
  cv: z
    .object({ cvId: Uuid, version: z.int().min(1).nullable() })
    .nullable()
    .default(null),
});
export type Sent = z.infer<typeof Sent>;

/** A reminder is due at its local time in its zone, whatever the zone's rules are by then. */
export const ReminderPlan = z.object({
  at: LocalTime,
  /** IANA name. */
  zone: z.string().max(64),
  text: longText.min(1),
  byMail: z.boolean(),
});
export type ReminderPlan = z.infer<typeof ReminderPlan>;

export const Reminder = ReminderPlan.extend({
  reminderId: Uuid,
  applicationId: Uuid,
  dueAt: Instant,
  /** `due`: its time has come, and it is neither done nor put off. */
  status: z.enum(["planned", "due", "done"]),
});
export type Reminder = z.infer<typeof Reminder>;

export const Note = z.object({
  noteId: Uuid,
  text: longText.min(1),
  writtenAt: Instant,
  editedAt: Instant.nullable(),
});
export type Note = z.infer<typeof Note>;

export const ApplicationFile = z.object({
  fileId: Uuid,
  name: z.string(),
  bytes: z.int(),
  addedAt: Instant,
});

/** An application as it stands in a board or a table. */
export const Application = z.object({
  applicationId: Uuid,
  details: KeptDetails,
  sent: Sent,
  stageId: Uuid,
  /** Orders the applications of a stage, ascending (compared as text by code unit). */
  rank: z.string(),
  stageSince: Instant,
  createdAt: Instant,
  /** Of the last change by its owner. */
  changedAt: Instant,
  archivedAt: Instant.nullable(),
  /** The next reminder that is not done. */
  remindAt: Instant.nullable(),
  notes: z.int(),
  files: z.int(),
});
export type Application = z.infer<typeof Application>;

/** An entry of an application's past, the newest first where they are listed. */
export const HistoryEntry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("added"), at: Instant, stageId: Uuid }),
  z.object({ kind: z.literal("moved"), at: Instant, from: Uuid, to: Uuid }),
  z.object({ kind: z.literal("archived"), at: Instant }),
  z.object({ kind: z.literal("restored"), at: Instant }),
  z.object({ kind: z.literal("reminded"), at: Instant, reminderId: Uuid }),
]);
export type HistoryEntry = z.infer<typeof HistoryEntry>;
