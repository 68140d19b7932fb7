import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { holdReviewMs } from "@pro-talent/schemas/privacy/clocks";
import type { PrivacyEventType } from "@pro-talent/schemas/privacy/events";
import { transitions } from "@pro-talent/schemas/privacy/transitions";

import { refusalOf } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import type { KnownRequest } from "./state.decider.ts";

/** Who asks: the person whose request it is, or an officer by account. */
export type Actor = "holder" | { readonly officerId: string };

/**
 * What this person can do about a request now: the events that the table gives to them and of which the
 * decider would accept at least one form. What it says can be outdated when they act.
 */
export function possibleEvents(
  state: KnownRequest,
  actor: Actor,
  now: Instant,
): readonly PrivacyEventType[] {
  const party = actor === "holder" ? "holder" : "officer";
  const { officerId } = actor === "holder" ? { officerId: anyId } : actor;
  return transitions[state.type]
    .filter(({ by, from }) => by === party && from.includes(state.status))
    .map(({ event }) => event)
    .filter((event) =>
      formsOf(event, { ...state, officerId, now }).some(
        (fact) => refusalOf(fact, state, now) === undefined,
      ),
    );
}

/** Of what the guards do not look at. */
const anyId = "00000000-0000-4000-8000-000000000000";
const anySteps = ["account"];

type Choices = Pick<KnownRequest, "holds"> & { readonly officerId: string; readonly now: Instant };

/** An event in every form that makes a difference to the guards. */
export const formsOf = (type: PrivacyEventType, choices: Choices): readonly Recordable[] => [
  ...formsOfHolder(type),
  ...formsOfDecision(type, choices),
  ...formsOfHold(type, choices),
];

function formsOfHolder(type: PrivacyEventType): readonly Recordable[] {
  switch (type) {
    case "IdentityChallengeSent":
    case "IdentityFailed":
    case "RequestWithdrawn":
    case "PackageDownloaded":
    case "GraceWaived":
      return [{ type, data: {} }];
    case "DeletionCancelled":
      return [{ type, data: { cancellationId: anyId } }];
    default:
      return [];
  }
}

function formsOfDecision(type: PrivacyEventType, { officerId }: Choices): readonly Recordable[] {
  switch (type) {
    case "Assigned":
    case "AssignmentReleased":
    case "DeletionApproved":
    case "Retried":
      return [{ type, data: { officerId } }];
    case "IdentityChecked":
      return [{ type, data: { officerId, check: "account-details" } }];
    case "ExtensionDeclared":
      return (["ccpa", "gdpr"] as const).map((law) => ({ type, data: { officerId, law } }));
    case "DenialProposed":
    case "RequestDenied":
      return (["suspected-fraud", "other"] as const).map((reason) => ({
        type,
        data: { officerId, reason },
      }));
    case "AccessApproved":
      return [{ type, data: { officerId, steps: anySteps } }];
    case "CorrectionApproved":
      return [{ type, data: { officerId, steps: ["full-name"] } }];
    default:
      return [];
  }
}

function formsOfHold(
  type: PrivacyEventType,
  { holds, officerId, now }: Choices,
): readonly Recordable[] {
  const reviewAt = instantPlus(now, holdReviewMs);
  switch (type) {
    case "HoldPlaced":
      return [{ type, data: { officerId, holdId: anyId, law: "", reviewAt } }];
    case "HoldReviewed":
      return holds.map((holdId) => ({
        type,
        data: { officerId, holdId, reason: "proceedings", reviewAt },
      }));
    case "HoldReleased":
      return holds.map((holdId) => ({ type, data: { officerId, holdId } }));
    default:
      return [];
  }
}
