import { keyStep } from "@pro-talent/schemas/privacy/events";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

import { privacyDecider } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { PrivacyState } from "../state.decider.ts";
import type { Model } from "./explore.ts";
import * as facts from "./facts.ts";
import { dana, omar, onDay } from "./facts.ts";
import { brokenBy } from "./review-promises.ts";

type Review = {
  readonly day: number;
  readonly request: PrivacyState;
  /** A promise that the last event broke. */
  readonly broken?: string | undefined;
};

const days = [0, 1, 13, 14, 20, 22, 30, 45];

const byOfficer = (officerId: string): readonly Recordable[] => [
  facts.assigned(officerId),
  { type: "AssignmentReleased", data: { officerId } },
  { type: "ExtensionDeclared", data: { officerId, law: "ccpa" } },
  { type: "ExtensionDeclared", data: { officerId, law: "gdpr" } },
  { type: "DenialProposed", data: { officerId, reason: "suspected-fraud" } },
  facts.denied(officerId),
  facts.denied(officerId, "suspected-fraud"),
  { type: "AccessApproved", data: { officerId, steps: ["links", "visits"] } },
  { type: "CorrectionApproved", data: { officerId, steps: ["phone", "address"] } },
];

/** Everything that can be recorded, possible or not. */
const attempts: readonly Recordable[] = [
  ...byOfficer(dana),
  ...byOfficer(omar),
  { type: "IdentityVerified", data: { method: "mailed-code" } },
  { type: "IdentityExpired", data: {} },
  { type: "RequestWithdrawn", data: {} },
  { type: "DueDateMissed", data: {} },
  ...["links", "visits", "phone", "address"].flatMap((step) => [
    facts.stepDone(step),
    facts.stepDone(step, 1),
    facts.stepFailed(step),
  ]),
  { type: "PackageSealed", data: { sha256: "0".repeat(64) } },
  { type: "PackageDownloaded", data: {} },
  { type: "PackageExpired", data: {} },
  { type: "CorrectionOutdated", data: {} },
  { type: "RecipientsNotified", data: { recipients: [] } },
  { type: "RequestEndedByErasure", data: {} },
  facts.retried,
  facts.cancelled,
  { type: "EraseClaimed", data: { steps: [keyStep] } },
];

/** A request that officers decide, with every command tried in every state and on every day. */
export function reviewModel(requestType: RequestType): Model<Review> {
  const received = privacyDecider.decide(
    { type: "ReceiveRequest", requestType, accountId: null, identity: null },
    privacyDecider.initialState,
    { now: onDay(0) },
  );
  if ("kind" in received) throw new Error(received.code);
  return {
    start: { day: 0, request: fold(privacyDecider.initialState, received, 0) },
    next: nextOf,
    key: ({ day, request, broken }) =>
      JSON.stringify([day, { ...request, changedAt: null }, broken ?? null]),
    broken: brokenIn,
    mustEnd: () => true,
    isEnd: ({ request }) => request.status === "completed",
  };
}

type Events = Exclude<ReturnType<typeof privacyDecider.decide>, { kind: "refusal" }>;

const fold = (request: PrivacyState, events: Events, day: number) =>
  events.reduce((state, event) => privacyDecider.evolve(state, event, onDay(day)), request);

function* nextOf({ day, request }: Review): Generator<readonly [string, Review]> {
  const later = days.find((other) => other > day);
  if (later !== undefined) yield [`day ${later}`, { day: later, request }];
  for (const fact of attempts) {
    const context = { now: onDay(day) };
    const events = privacyDecider.decide({ type: "Record", fact }, request, context);
    if ("kind" in events) continue;
    const after = fold(request, events, day);
    const broken = brokenBy(request, fact, onDay(day));
    yield [`${fact.type} on day ${day}`, { day, request: after, broken }];
  }
}

function brokenIn({ request, broken }: Review): readonly string[] {
  if (request.status === "none") return [];
  const found: string[] = broken === undefined ? [] : [broken];
  if (request.clocks.dueAt !== dueAt) found.push("the due date moved");
  if ((request.package?.downloads ?? 0) > 5) found.push("downloaded more than five times");
  if (request.status === "ready" && request.open.length > 0) found.push("a store is missing");
  if ((request.status === "completed") !== (request.outcome !== null) && request.status !== "ready")
    found.push("an outcome without an end, or an end without an outcome");
  return found;
}

/** Of a request that is received on 1 March 2026 at 08:00 UTC: the end of 22 March in Jerusalem. */
const dueAt = "2026-03-22T22:00:00.000Z";
