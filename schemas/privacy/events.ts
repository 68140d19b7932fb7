import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Clocks, type OfficerWarning, officerWarnings } from "./clocks.ts";
import { correctionFields } from "./correction-fields.ts";
import { DeniedFields } from "./correction.ts";
import { BackupEvidence } from "./erasure-journal.ts";
import { SearchedFor, SearchedStore } from "./erasure-search.ts";
import { formRelations } from "./form.ts";
import { denialReasons, extensionLaws, holdReasons, identityChecks } from "./reasons.ts";
import { notificationResults, recipientKinds } from "./recipients.ts";
import { Redactions, Withheld } from "./redaction.ts";
import { RequestType } from "./request.ts";

const fact = <Type extends string>(type: Type) =>
  z.object({ type: z.literal(type), data: z.object({}) });
const officer = { officerId: Uuid };

/** The name of a step of fulfilment: one store, or one field of a correction. */
export const StepName = z.string().regex(/^[a-z][a-z0-9.-]{0,63}$/);
/** The step that destroys the subject's key. It is the last: what is sealed is needed until then. */
export const keyStep = "subject-key";
/** Work around the steps, which can fail as they can. */
export const phases: readonly string[] = ["journal", "suppression", "scan", "package", "notices"];
/** The evidence of a search. Absent in events of before there was one, and of other steps. */
const evidence = {
  stores: z.array(SearchedStore).max(100).exactOptional(),
  searchedFor: SearchedFor.exactOptional(),
};
const plan = { steps: z.array(StepName).min(1).max(200) };
/** Of the record of processing activities in force; events of earlier releases do not name it. */
const register = { register: z.hash("sha256").exactOptional() };

/** What the person who asked is notified of by mail; `asked-for-you` goes to the data subject. */
const holderNotices = [
  "received",
  "ready",
  "corrected",
  "denied",
  "extended",
  "held",
  "hold-released",
  "scheduled",
  "cancelled",
  "withdrawn",
  "nothing-held",
  "asked-for-you",
] as const;
export type HolderNotice = (typeof holderNotices)[number];

const notices = [...holderNotices, ...officerWarnings] as const;
export type Notice = HolderNotice | OfficerWarning;

export const isOfficerWarning = (notice: Notice): notice is OfficerWarning =>
  officerWarnings.some((warning) => warning === notice);

const NotifiedRecipients = z
  .array(z.object({ recipient: z.enum(recipientKinds), result: z.enum(notificationResults) }))
  .max(200);

/** What came of notifying the recipients of corrected data of the last three years. */
const RecipientsNotified = z.object({
  type: z.literal("RecipientsNotified"),
  data: z.object({ recipients: NotifiedRecipients }),
});

/** The data of the first version: that it was done. */
export const RecipientsNotifiedV1 = z.object({});

/** Events of a privacy request (`privacy-<requestId>`), free of personal data. */
export const PrivacyEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("RequestReceived"),
    data: z.object({
      requestType: RequestType,
      /** Whose data it is about; none until the identity of a form's sender is verified. */
      accountId: Uuid.nullable(),
      clocks: Clocks,
      /** Of a request by the public form. */
      relation: z.enum(formRelations).exactOptional(),
    }),
  }),
  /** A code was requested for the address of a form: to verify it, or to open its package. */
  z.object({
    type: z.literal("IdentityChallengeSent"),
    data: z.object({ number: z.int().positive() }),
  }),
  /** A wrong code. */
  fact("IdentityFailed"),
  /** As many wrong codes as are permitted. */
  fact("IdentityRefused"),
  /**
   * By a fresh sign-in of the account's holder, or by a code sent to an address. `inactivity`: the platform
   * asks, because the account was not used for three years.
   */
  z.object({
    type: z.literal("IdentityVerified"),
    data: z.object({ method: z.enum(["step-up", "mailed-code", "inactivity"]) }),
  }),
  fact("IdentityExpired"),
  /** Whether a verified form is about an account; without one it is about a mailbox. */
  z.object({
    type: z.literal("SubjectIdentified"),
    data: z.object({ accountId: Uuid.nullable() }),
  }),
  /** Nothing is held about the mailbox that was verified. */
  fact("NothingHeld"),
  /** What an officer has seen or done beside the mailed code. */
  z.object({
    type: z.literal("IdentityChecked"),
    data: z.object({ ...officer, check: z.enum(identityChecks) }),
  }),
  /** Of an account whose holder did not sign in; two officers approve it. */
  z.object({ type: z.literal("DeletionApproved"), data: z.object(officer) }),
  fact("RequestWithdrawn"),
  /** The account is erased by another request: nothing is left to decide, to hand out or to correct. */
  fact("RequestEndedByErasure"),

  /** The officer has the request alone until then. */
  z.object({ type: z.literal("Assigned"), data: z.object({ ...officer, until: Instant }) }),
  z.object({ type: z.literal("AssignmentReleased"), data: z.object(officer) }),
  /** An extension permitted by law is announced to the subject. The due date stays as it is. */
  z.object({
    type: z.literal("ExtensionDeclared"),
    data: z.object({ ...officer, law: z.enum(extensionLaws) }),
  }),
  /** Some denials need a second officer; this is the first one's part. */
  z.object({
    type: z.literal("DenialProposed"),
    data: z.object({ ...officer, reason: z.enum(denialReasons) }),
  }),
  z.object({
    type: z.literal("RequestDenied"),
    data: z.object({ ...officer, reason: z.enum(denialReasons) }),
  }),
  fact("DueDateMissed"),

  z.object({
    type: z.literal("AccessApproved"),
    data: z.object({
      ...officer,
      ...plan,
      ...register,
      /**
       * Whether an officer reviews the copy for passages about other people: because the officer asks for
       * it, or because something is found in one of these stores, whose texts others may have written. A
       * copy of an earlier release has none, and is not reviewed.
       */
      review: z.object({ asked: z.boolean(), stores: z.array(StepName).max(50) }).exactOptional(),
    }),
  }),
  /** What was collected is kept encrypted until the copy is sealed, and waits for its review. */
  z.object({
    type: z.literal("PackageCollected"),
    data: z.object({ sha256: z.hash("sha256") }),
  }),
  /** What an officer wants to be withheld, by its place in what was collected; it replaces an earlier proposal. */
  z.object({
    type: z.literal("RedactionProposed"),
    data: z.object({ ...officer, collected: z.hash("sha256"), redactions: Redactions }),
  }),
  /** A second officer does not confirm the proposal. `revision`: which one, counted from 1. */
  z.object({
    type: z.literal("RedactionReturned"),
    data: z.object({ ...officer, revision: z.int().positive() }),
  }),
  /** A second officer confirms the proposal: this much is withheld, and nothing else. */
  z.object({
    type: z.literal("RedactionApplied"),
    data: z.object({ ...officer, revision: z.int().positive(), withheld: z.array(Withheld) }),
  }),
  /** Reviewed, and nothing is withheld. */
  z.object({ type: z.literal("CopyReleased"), data: z.object(officer) }),
  /** The data is collected anew, and reviewed anew: an officer asks for it, or what was collected is lost. */
  z.object({
    type: z.literal("CollectionDiscarded"),
    data: z.object({ officerId: Uuid.exactOptional() }),
  }),
  z.object({
    type: z.literal("PackageSealed"),
    data: z.object({
      sha256: z.hash("sha256"),
      expiresAt: Instant,
      /** How many passages were left out while it was written. Absent: none. */
      withheld: z.int().positive().exactOptional(),
    }),
  }),
  fact("PackageDownloaded"),
  fact("PackageExpired"),

  z.object({
    type: z.literal("CorrectionApproved"),
    data: z.object({
      ...officer,
      /** Fields that are approved. */
      steps: z.array(z.enum(correctionFields)).min(1),
      /** The other fields that were asked for. Absent: none. */
      denied: DeniedFields.exactOptional(),
    }),
  }),
  /** The subject has changed a field since: the old value is no longer the one that was reviewed. */
  fact("CorrectionOutdated"),
  RecipientsNotified,

  z.object({ type: z.literal("DeletionScheduled"), data: z.object({ eraseAt: Instant }) }),
  z.object({ type: z.literal("DeletionCancelled"), data: z.object({ cancellationId: Uuid }) }),
  /** By the subject: the deletion is due from now on. */
  fact("GraceWaived"),
  z.object({
    type: z.literal("HoldPlaced"),
    data: z.object({ ...officer, holdId: Uuid, law: z.string().max(120), reviewAt: Instant }),
  }),
  /** A hold still stands: it is reviewed again by then. */
  z.object({
    type: z.literal("HoldReviewed"),
    data: z.object({ ...officer, holdId: Uuid, reason: z.enum(holdReasons), reviewAt: Instant }),
  }),
  z.object({ type: z.literal("HoldReleased"), data: z.object({ ...officer, holdId: Uuid }) }),
  /** From here on the deletion can not be cancelled. */
  z.object({ type: z.literal("EraseClaimed"), data: z.object({ ...plan, ...register }) }),
  /** The entry of the journal outside the databases is durable. */
  z.object({
    type: z.literal("JournalWritten"),
    data: z.object({
      entry: z.int().positive(),
      /** Of its line; entries of earlier releases do not have it. */
      sha256: z.hash("sha256").exactOptional(),
    }),
  }),
  /**
   * A backup was restored that is older than an entry of the journal. The entry says that the deletion
   * was claimed: whatever the backup holds of the request, its stores are erased again.
   */
  z.object({
    type: z.literal("JournalReapplied"),
    data: z.object({
      entry: z.int().positive(),
      /** The backup may not know yet the data subject of a form. Entries of earlier releases do not have it. */
      accountId: Uuid.exactOptional(),
      ...plan,
    }),
  }),
  /** Every collector refuses the subject, and its spool is drained up to the claim. */
  fact("SuppressionConfirmed"),
  /** No key is left, and nothing that was sealed. Of an erased account: its stores were searched again. */
  z.object({ type: z.literal("ScanClean"), data: z.object({ scanId: Uuid, ...evidence }) }),
  /** A scan found data of the subject, or found it again: every store is erased anew. */
  z.object({ type: z.literal("ScanHit"), data: z.object(evidence) }),
  /** The oldest backup that can be restored was taken then. */
  z.object({
    type: z.literal("BackupsAged"),
    data: z.object({
      oldestRestorableAt: Instant,
      /** Events of earlier releases do not name it. */
      proof: BackupEvidence.exactOptional(),
    }),
  }),

  /** A step has read (access) or changed that many items; what remains is counted anew. */
  z.object({
    type: z.literal("StepDone"),
    data: z.object({
      step: StepName,
      found: z.int().nonnegative(),
      left: z.int().nonnegative(),
      /** Of what was found, what a law demands to be kept; it does not count as left. */
      kept: z.int().positive().exactOptional(),
      ...evidence,
    }),
  }),
  z.object({
    type: z.literal("StepFailed"),
    data: z.object({ step: StepName, code: z.string().regex(/^[a-z_]{1,40}$/), ...evidence }),
  }),
  fact("RequestStalled"),
  z.object({ type: z.literal("Retried"), data: z.object(officer) }),

  fact("CancellationRecorded"),
  /** What was sealed with a completed request is needed no more, also for no notice. */
  fact("ContentsForgotten"),

  /**
   * An attempt to send a notice. `refused`: the address accepts no mail; `no-account`: the account is gone;
   * `later`: it is tried again, as long as it takes.
   */
  z.object({
    type: z.literal("NoticeTried"),
    data: z.object({
      notice: z.enum(notices),
      result: z.enum(["sent", "refused", "no-account", "later"]),
    }),
  }),
]);
export type PrivacyEvent = z.infer<typeof PrivacyEvent>;

export const PrivacyEventType = z.enum(PrivacyEvent.options.map(({ shape }) => shape.type.value));
export type PrivacyEventType = z.infer<typeof PrivacyEventType>;
