import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { attemptsMax, downloadsMax, holdReviewMs } from "@pro-talent/schemas/privacy/clocks";
import { keyStep, phases, type PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { privacyFormLimits } from "@pro-talent/schemas/privacy/form";
import type { Guard } from "@pro-talent/schemas/privacy/guards";

import { isReviewNeeded } from "./copy-review.decider.ts";
import { codesLeft, isAddressNeeded, isIdentityEnough, needsReview } from "./form-state.decider.ts";
import type { KnownRequest } from "./state.decider.ts";

/** Follows from other events by itself. */
type RuleType = "DeletionScheduled" | "RequestStalled" | "CancellationRecorded" | "IdentityRefused";
/** Its end, or its number, is computed when it is recorded. */
type DatedType = "Assigned" | "PackageSealed" | "IdentityChallengeSent" | "RedactionApplied";
export type EventOf<Type extends PrivacyEvent["type"]> = Extract<PrivacyEvent, { type: Type }>;

type Undated =
  | { readonly type: "IdentityChallengeSent"; readonly data: Readonly<Record<string, never>> }
  | { readonly type: "Assigned"; readonly data: Omit<EventOf<"Assigned">["data"], "until"> }
  | {
      readonly type: "PackageSealed";
      readonly data: Omit<EventOf<"PackageSealed">["data"], "expiresAt">;
    }
  | {
      readonly type: "RedactionApplied";
      readonly data: Omit<EventOf<"RedactionApplied">["data"], "withheld">;
    };

/** What guards judge: an event, or one whose end is still to be computed. */
type PrivacyFact = PrivacyEvent | Undated;

/** What can be recorded about a request that was received. */
export type Recordable =
  | Exclude<PrivacyEvent, { type: RuleType | DatedType | "RequestReceived" }>
  | Undated;

/** Whether a condition of the table holds for a request, what is to be recorded, and the time. */
type Check = (request: KnownRequest, fact: PrivacyFact, now: Instant) => boolean;

const officerOf = ({ data }: PrivacyFact) => ("officerId" in data ? data.officerId : undefined);
const stepOf = ({ data }: PrivacyFact) => ("step" in data ? data.step : undefined);
const holdOf = ({ data }: PrivacyFact) => ("holdId" in data ? data.holdId : undefined);
const isOpen = ({ open }: KnownRequest, step: string | undefined) =>
  step !== undefined && open.includes(step);

/** The conditions that the table of transitions names. */
export const guards: Readonly<Record<Guard, Check>> = {
  "identity-in-time": ({ clocks }, _fact, now) => now < clocks.identityBy,
  "identity-lapsed": ({ clocks }, _fact, now) => now >= clocks.identityBy,
  "lease-free": ({ lease }, fact, now) =>
    lease === null || lease.until <= now || lease.officerId === officerOf(fact),
  "lease-held": ({ lease }, fact, now) =>
    lease !== null && lease.until > now && lease.officerId === officerOf(fact),
  "before-due": ({ clocks }, _fact, now) => now < clocks.dueAt,
  "past-due": ({ clocks, overdue }, _fact, now) => now >= clocks.dueAt && !overdue,
  "first-extension": ({ extensions }, fact) =>
    fact.type === "ExtensionDeclared" && !extensions.includes(fact.data.law),
  /** The reason is a suspicion against the subject: two officers must share it. */
  "second-officer": ({ denialBy }, fact) =>
    fact.type === "RequestDenied" &&
    (fact.data.reason !== "suspected-fraud" || denialBy.some((id) => id !== fact.data.officerId)),
  "not-reviewed": ({ review }) => review === null,
  /** By the worker alone: officers discard it while it is reviewed. */
  "review-began": ({ review }, fact) => review !== null && officerOf(fact) === undefined,
  "review-done": (request) =>
    request.review === null ? !isReviewNeeded(request) : request.review.confirmed !== null,
  /** An offset means nothing in other data than it was chosen in. */
  "as-collected": ({ review }, fact) =>
    fact.type === "RedactionProposed" && review?.collected === fact.data.collected,
  "as-proposed": ({ review, revision }, fact) =>
    (fact.type === "RedactionApplied" || fact.type === "RedactionReturned") &&
    review?.proposal?.returned === false &&
    revision === fact.data.revision,
  "other-officer": ({ review }, fact) => review?.proposal?.by !== officerOf(fact),
  /** What another officer wanted to be withheld is not released by one alone. */
  "nothing-proposed": ({ review }, fact) =>
    review?.proposers.every((id) => id === officerOf(fact)) === true,
  "as-confirmed": ({ review }, fact) =>
    fact.type === "PackageSealed" && (fact.data.withheld ?? 0) === (review?.confirmed ?? 0),
  "package-valid": (request, _fact, now) =>
    request.package !== null &&
    now < request.package.expiresAt &&
    request.package.downloads < downloadsMax,
  "package-lapsed": (request, _fact, now) =>
    request.package !== null && now >= request.package.expiresAt,
  "grace-over": ({ clocks }, _fact, now) => clocks.eraseAt !== null && now >= clocks.eraseAt,
  "grace-runs": ({ clocks }, _fact, now) => clocks.eraseAt !== null && now < clocks.eraseAt,
  "not-held": ({ holds }) => holds.length === 0,
  "hold-is-new": ({ holds }, fact) => !holds.includes(holdOf(fact) ?? ""),
  "hold-stands": ({ holds }, fact) => holds.includes(holdOf(fact) ?? ""),
  "hold-review-in-time": (_request, fact, now) =>
    (fact.type === "HoldPlaced" || fact.type === "HoldReviewed") &&
    fact.data.reviewAt > now &&
    fact.data.reviewAt <= instantPlus(now, holdReviewMs),
  suppressed: ({ suppressed }) => suppressed,
  "step-open": (request, fact) => isOpen(request, stepOf(fact)),
  "work-open": (request, fact) =>
    isOpen(request, stepOf(fact)) || phases.includes(stepOf(fact) ?? ""),
  "nothing-left": (_request, fact) => fact.type === "StepDone" && fact.data.left === 0,
  "key-planned": (_request, fact) =>
    (fact.type === "EraseClaimed" || fact.type === "JournalReapplied") &&
    fact.data.steps.includes(keyStep),
  "key-last": ({ open }, fact) => stepOf(fact) !== keyStep || open.length === 1,
  "steps-done": ({ open }) => open.length === 0,
  "attempts-spent": ({ attempts }) => Object.values(attempts).some((count) => count >= attemptsMax),
  "backups-aged": ({ erasedAt }, fact) =>
    erasedAt !== null && fact.type === "BackupsAged" && fact.data.oldestRestorableAt > erasedAt,
  "notice-owed": ({ notices }, fact) =>
    fact.type === "NoticeTried" && notices.some(({ notice }) => notice === fact.data.notice),
  "nothing-owed": (request) => !isAddressNeeded(request) && !request.forgotten,
  "by-form": ({ relation }) => relation !== null,
  "codes-left": (request, _fact, now) => codesLeft(request, now) > 0,
  "attempts-left": ({ codes }) => codes.failed < privacyFormLimits.attemptsMax,
  "attempts-used": ({ codes }) => codes.failed >= privacyFormLimits.attemptsMax,
  "not-identified": ({ identified }) => !identified,
  "needs-review": (request) => needsReview(request),
  "identity-enough": (request, _fact, now) => isIdentityEnough(request, now),
  /** Whose holder signed in, or whose mailbox was verified, needs no officer. */
  approved: (request) => {
    const { relation, identified, approvedBy } = request;
    if (relation === null) return true;
    return needsReview(request) ? approvedBy.length > 1 : identified;
  },
  "first-approval": ({ approvedBy }, fact) => !approvedBy.includes(officerOf(fact) ?? ""),
};
