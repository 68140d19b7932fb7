import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { keyStep } from "@pro-talent/schemas/privacy/events";

import type { Recordable } from "../guards.decider.ts";
import * as facts from "./facts.ts";

/** Of a correction, an export and an erasure, and one that no request plans. */
const steps = ["links", "visits", "phone", "nowhere", keyStep];

/**
 * Every event in the forms that make a difference to a condition of the table, by each of its actors.
 * @param at two officers, a hold that may stand, and instants on both sides of each limit
 */
export function everyFact(at: {
  readonly officers: readonly string[];
  readonly holdId: string;
  /** An id that no hold has. */
  readonly newHoldId: string;
  readonly soon: Instant;
  readonly past: Instant;
  readonly far: Instant;
}): readonly Recordable[] {
  return [
    ...at.officers.flatMap((officerId) => byOfficer(officerId, at)),
    ...byHolder,
    ...byService(at),
  ];
}

function byOfficer(
  officerId: string,
  { holdId, newHoldId, soon, past, far }: Parameters<typeof everyFact>[0],
): readonly Recordable[] {
  const reviews = [soon, past, far].flatMap((reviewAt): Recordable[] => [
    { type: "HoldPlaced", data: { officerId, holdId: newHoldId, law: "A law", reviewAt } },
    { type: "HoldReviewed", data: { officerId, holdId, reason: "proceedings", reviewAt } },
  ]);
  return [
    facts.assigned(officerId),
    { type: "AssignmentReleased", data: { officerId } },
    { type: "IdentityChecked", data: { officerId, check: "identity-document" } },
    { type: "ExtensionDeclared", data: { officerId, law: "ccpa" } },
    { type: "ExtensionDeclared", data: { officerId, law: "gdpr" } },
    { type: "DenialProposed", data: { officerId, reason: "suspected-fraud" } },
    facts.denied(officerId),
    facts.denied(officerId, "suspected-fraud"),
    { type: "AccessApproved", data: { officerId, steps: ["links", "visits"] } },
    { type: "CorrectionApproved", data: { officerId, steps: ["phone"] } },
    { type: "DeletionApproved", data: { officerId } },
    ...reviews,
    { type: "HoldPlaced", data: { officerId, holdId, law: "A law", reviewAt: soon } },
    { type: "HoldReleased", data: { officerId, holdId } },
    { type: "Retried", data: { officerId } },
  ];
}

const byHolder: readonly Recordable[] = [
  { type: "IdentityChallengeSent", data: {} },
  { type: "IdentityFailed", data: {} },
  { type: "RequestWithdrawn", data: {} },
  { type: "PackageDownloaded", data: {} },
  facts.cancelled,
  facts.waived,
];

function byService({ soon, past }: Parameters<typeof everyFact>[0]): readonly Recordable[] {
  const plans = [["links"], ["links", "visits", keyStep]];
  return [
    { type: "IdentityVerified", data: { method: "mailed-code" } },
    { type: "IdentityExpired", data: {} },
    { type: "SubjectIdentified", data: { accountId: null } },
    { type: "SubjectIdentified", data: { accountId: facts.accountId } },
    { type: "NothingHeld", data: {} },
    { type: "DueDateMissed", data: {} },
    ...steps.flatMap((step) => [
      facts.stepDone(step),
      facts.stepDone(step, 1),
      facts.stepFailed(step),
    ]),
    facts.stepFailed("scan"),
    { type: "PackageSealed", data: { sha256: "0".repeat(64) } },
    { type: "PackageExpired", data: {} },
    { type: "CorrectionOutdated", data: {} },
    { type: "RecipientsNotified", data: { recipients: [] } },
    { type: "RequestEndedByErasure", data: {} },
    ...plans.flatMap((planned): Recordable[] => [
      { type: "EraseClaimed", data: { steps: planned } },
      { type: "JournalReapplied", data: { entry: 1, steps: planned } },
    ]),
    facts.journalled,
    facts.suppressed,
    facts.scanClean,
    { type: "ScanHit", data: {} },
    facts.backupsAged(soon),
    facts.backupsAged(past),
    ...(["received", "asked-for-you", "day-14"] as const).map((notice): Recordable => ({
      type: "NoticeTried",
      data: { notice, result: "sent" },
    })),
    { type: "ContentsForgotten", data: {} },
  ];
}
