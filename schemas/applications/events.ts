import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { LocalTime } from "../primitives/local-time.ts";
import { stageKinds } from "./application.ts";
import { applicationLimits as limit } from "./limits.ts";

const Rank = z.string().regex(/^[0-9A-Za-z]{1,200}$/u);
const NoteData = z.object({ noteId: Uuid });
const FileData = z.object({ fileId: Uuid });
const ReminderData = z.object({ reminderId: Uuid });
const nothing = z.object({});

/** What was sent with an application from now on; what its applicant wrote is sealed beside it. */
export const ApplicationDescribed = z.object({
  type: z.literal("ApplicationDescribed"),
  data: z.object({
    linkIds: z.array(Uuid),
    cv: z.object({ cvId: Uuid, version: z.int().min(1).nullable() }).nullable(),
  }),
});
export type ApplicationDescribed = z.infer<typeof ApplicationDescribed>;

/** When a reminder is due; its text is sealed beside it. */
export const ReminderPlanned = z.object({
  type: z.literal("ReminderPlanned"),
  data: ReminderData.extend({ at: LocalTime, zone: z.string().max(64), byMail: z.boolean() }),
});

/** Events of an application (`application-<applicationId>`), free of what its applicant wrote. */
export const ApplicationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ApplicationAdded"),
    data: z.object({ accountId: Uuid, stageId: Uuid, rank: Rank }),
  }),
  ApplicationDescribed,
  /** Within its stage as well. */
  z.object({
    type: z.literal("ApplicationMoved"),
    data: z.object({ stageId: Uuid, rank: Rank }),
  }),
  z.object({ type: z.literal("ApplicationArchived"), data: nothing }),
  z.object({ type: z.literal("ApplicationRestored"), data: nothing }),
  z.object({ type: z.literal("NoteAdded"), data: NoteData }),
  z.object({ type: z.literal("NoteChanged"), data: NoteData }),
  z.object({ type: z.literal("NoteRemoved"), data: NoteData }),
  z.object({ type: z.literal("FileAdded"), data: FileData }),
  z.object({ type: z.literal("FileRemoved"), data: FileData }),
  ReminderPlanned,
  /** Its time has come. */
  z.object({ type: z.literal("ReminderCameDue"), data: ReminderData }),
  z.object({ type: z.literal("ReminderDone"), data: ReminderData }),
  z.object({ type: z.literal("ReminderReopened"), data: ReminderData }),
  z.object({ type: z.literal("ReminderRemoved"), data: ReminderData }),
  /** By its applicant, or with the account: the key of what was written and its files are destroyed. */
  z.object({
    type: z.literal("ApplicationErased"),
    data: z.object({ reason: z.enum(["deleted", "account-closed"]) }),
  }),
]);
export type ApplicationEvent = z.infer<typeof ApplicationEvent>;

/** Events of an account's pipeline (`pipeline-<accountId>`); names of stages are sealed beside it. */
export const PipelineEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("PipelineChanged"),
    data: z.object({
      stages: z
        .array(z.object({ stageId: Uuid, kind: z.enum(stageKinds) }))
        .min(2)
        .max(limit.stagesMax),
      /** Where applications of stages that were left out belong now. */
      moved: z.record(Uuid, Uuid),
    }),
  }),
  /** With the account. */
  z.object({ type: z.literal("PipelineErased"), data: nothing }),
]);
export type PipelineEvent = z.infer<typeof PipelineEvent>;

/** What is sealed beside a note. */
export const SealedText = z.object({ text: z.string() });

/** What is sealed beside a file: its content is stored under `key`, encrypted. */
export const SealedFile = z.object({
  name: z.string(),
  bytes: z.int(),
  /** 32 bytes in base64; nothing else opens the file. */
  key: z.base64(),
});
export type SealedFile = z.infer<typeof SealedFile>;

/** Names of stages, sealed beside the pipeline, by their ids. */
export const StageNames = z.record(Uuid, z.string());
export type StageNames = z.infer<typeof StageNames>;
