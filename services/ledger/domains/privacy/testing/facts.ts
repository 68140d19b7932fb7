import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { keyStep } from "@pro-talent/schemas/privacy/events";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

import type { PrivacyCommand } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";

export const accountId = "0b7c4f7e-9a51-4a6f-8d2e-3a1f5c9e7d10";
export const dana = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";
export const omar = "2d9e6b90-1c73-4c81-8f40-5c317ebabf32";
const holdId = "3eaf7ca1-2d84-4d92-9051-6d428fcbca43";
export const cancellationId = "4fb08db2-3e95-4ea3-a162-7e5390dcdb54";

/** The instant of a day (0: the receipt), in the morning. */
export function onDay(day: number): Instant {
  const known = instants.get(day);
  if (known !== undefined) return known;
  const instant = instantFromMs(Date.UTC(2026, 2, 1 + day, 8));
  instants.set(day, instant);
  return instant;
}
const instants = new Map<number, Instant>();

export const receives = (
  requestType: RequestType,
): Extract<PrivacyCommand, { type: "ReceiveRequest" }> => ({
  type: "ReceiveRequest",
  requestType,
  accountId,
  identity: "step-up",
});
export const records = (fact: Recordable): PrivacyCommand => ({ type: "Record", fact });

export const assigned = (officerId: string): Recordable => ({
  type: "Assigned",
  data: { officerId },
});
export const denied = (
  officerId: string,
  reason: "no-match" | "suspected-fraud" = "no-match",
): Recordable => ({ type: "RequestDenied", data: { officerId, reason } });
export const holdPlaced = (reviewAt: Instant): Recordable => ({
  type: "HoldPlaced",
  data: { officerId: dana, holdId, law: "Income Tax Ordinance 130", reviewAt },
});
export const holdReleased: Recordable = {
  type: "HoldReleased",
  data: { officerId: dana, holdId },
};
export const cancelled: Recordable = { type: "DeletionCancelled", data: { cancellationId } };
export const waived: Recordable = { type: "GraceWaived", data: {} };
export const claimed: Recordable = {
  type: "EraseClaimed",
  data: { steps: ["links", "visits", keyStep] },
};
export const journalled: Recordable = { type: "JournalWritten", data: { entry: 1 } };
export const suppressed: Recordable = { type: "SuppressionConfirmed", data: {} };
export const stepDone = (step: string, left = 0): Recordable => ({
  type: "StepDone",
  data: { step, found: 1, left },
});
export const stepFailed = (step: string): Recordable => ({
  type: "StepFailed",
  data: { step, code: "store_unavailable" },
});
export const scanClean: Recordable = { type: "ScanClean", data: { scanId: cancellationId } };
export const backupsAged = (oldestRestorableAt: Instant): Recordable => ({
  type: "BackupsAged",
  data: { oldestRestorableAt },
});
export const retried: Recordable = { type: "Retried", data: { officerId: dana } };
