import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { downloadsMax } from "@pro-talent/schemas/privacy/clocks";

import type { Recordable } from "../guards.decider.ts";
import type { KnownRequest, PrivacyState } from "../state.decider.ts";

/**
 * The promise that an event breaks which was accepted, judged apart from the decider and its guards.
 * @param before the request as it was
 */
export function brokenBy(before: PrivacyState, fact: Recordable, now: Instant): string | undefined {
  if (before.status === "none") return undefined;
  return byOfficer(before, fact, now) ?? byClock(before, fact, now) ?? byWork(before, fact);
}

function byOfficer(
  { lease, denialBy, extensions, clocks }: KnownRequest,
  fact: Recordable,
  now: Instant,
): string | undefined {
  if (!("officerId" in fact.data) || fact.type === "Retried") return undefined;
  const { officerId } = fact.data;
  const isHeld = lease !== null && lease.until > now;
  if (fact.type === "Assigned")
    return isHeld && lease.officerId !== officerId ? "taken from another officer" : undefined;
  if (!isHeld || lease.officerId !== officerId) return "decided without having it";
  if (fact.type === "RequestDenied" && fact.data.reason === "suspected-fraud")
    return denialBy.every((id) => id === officerId) ? "a suspicion of one officer" : undefined;
  if (fact.type !== "ExtensionDeclared") return undefined;
  if (extensions.includes(fact.data.law)) return "extended twice by one law";
  return now >= clocks.dueAt ? "extended after the due date" : undefined;
}

function byClock(
  { clocks, package: sealed, overdue }: KnownRequest,
  { type }: Recordable,
  now: Instant,
): string | undefined {
  const ended = sealed === null || now >= sealed.expiresAt;
  switch (type) {
    case "IdentityVerified":
      return now >= clocks.identityBy ? "verified too late" : undefined;
    case "IdentityExpired":
      return now < clocks.identityBy ? "expired too early" : undefined;
    case "DueDateMissed":
      return now < clocks.dueAt || overdue ? "late before its day, or twice" : undefined;
    case "PackageDownloaded":
      return ended || sealed.downloads >= downloadsMax ? "downloaded after its end" : undefined;
    case "PackageExpired":
      return ended ? undefined : "a package ended early";
    default:
      return undefined;
  }
}

function byWork({ type, open, plan }: KnownRequest, fact: Recordable): string | undefined {
  switch (fact.type) {
    case "StepDone":
      if (!open.includes(fact.data.step)) return "a step done twice, or never planned";
      return type === "correct" && fact.data.left > 0 ? "done, and something is left" : undefined;
    case "StepFailed":
      return plan.includes(fact.data.step) ? undefined : "failed at a step that was never planned";
    case "PackageSealed":
    case "RecipientsNotified":
      return open.length > 0 ? "a step is missing" : undefined;
    default:
      return undefined;
  }
}
