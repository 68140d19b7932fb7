import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { historySteps } from "@pro-talent/schemas/privacy/calls";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { z } from "zod";

/** The steps of a request, in their order. */
export const History = z.array(
  z.object({ step: z.enum(historySteps), at: Instant, officerId: Uuid.nullable() }),
);

type Step = (typeof historySteps)[number];

/** What an event is called in the history of its request; the others are not part of it. */
const steps: Partial<Record<PrivacyEvent["type"], Step>> = {
  RequestReceived: "received",
  IdentityVerified: "verified",
  IdentityExpired: "expired",
  IdentityRefused: "denied",
  NothingHeld: "completed",
  IdentityChecked: "checked",
  DeletionApproved: "approved",
  RequestWithdrawn: "withdrawn",
  ExtensionDeclared: "extended",
  RequestDenied: "denied",
  AccessApproved: "working",
  PackageCollected: "reviewing",
  RedactionProposed: "redaction-proposed",
  RedactionReturned: "redaction-returned",
  RedactionApplied: "reviewed",
  CopyReleased: "reviewed",
  CollectionDiscarded: "working",
  PackageSealed: "ready",
  PackageDownloaded: "downloaded",
  PackageExpired: "expired",
  RequestEndedByErasure: "expired",
  CorrectionApproved: "working",
  RecipientsNotified: "completed",
  DeletionScheduled: "scheduled",
  DeletionCancelled: "cancelled",
  GraceWaived: "waived",
  HoldPlaced: "held",
  HoldReviewed: "hold-reviewed",
  HoldReleased: "hold-released",
  EraseClaimed: "working",
  JournalReapplied: "working",
  ScanClean: "erased",
  ScanHit: "working",
  BackupsAged: "completed",
  RequestStalled: "failed",
  Retried: "working",
  CancellationRecorded: "completed",
};

/** The step that an event is in the history of its request; none for most events. */
export function stepOf({ type, data }: PrivacyEvent, at: Instant): z.infer<typeof History> {
  const step = steps[type];
  const officerId = "officerId" in data ? (data.officerId ?? null) : null;
  return step === undefined ? [] : [{ step, at, officerId }];
}
