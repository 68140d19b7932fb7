import type { BillingData, BillingEvent, Notice } from "@pro-talent/schemas/billing/events";
import type { BillingState, MailFailure, Subscription } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { refusalsMax } from "./renewal.decider.ts";
import { withSubscription } from "./subscription-state.decider.ts";

/** What an event changes of the mails: which are owed, and which are evidence. */
export function afterMail(state: BillingState, event: BillingEvent, at: Instant): BillingState {
  if (event.type !== "NoticeDelivered" && event.type !== "NoticeFailed") return state;
  const { notice, about } = event.data;
  const isThis = (one: { notice: Notice; about: string }) =>
    one.notice === notice && one.about === about;
  const index = state.owed.findIndex(isThis);
  const rest = state.owed.filter((_one, place) => place !== index);
  const others = state.mailFailures.filter((one) => !isThis(one));
  if (event.type === "NoticeDelivered") {
    const next = { ...state, owed: rest, mailFailures: others };
    return withSubscription(next, (one) => withEvidence(one, event.data));
  }
  const before = state.mailFailures.find(isThis);
  const { reason } = event.data;
  const isRefused = reason === "refused" || reason === "bounced";
  const failure: MailFailure = {
    notice,
    about,
    at,
    count: (before?.count ?? 0) + 1,
    refused: (before?.refused ?? 0) + (isRefused ? 1 : 0),
  };
  const next = {
    ...state,
    mailFailures: [...others, failure],
    owed: failure.refused >= refusalsMax ? rest : state.owed,
  };
  if (reason !== "bounced") return next;
  return withSubscription(next, (one) => withoutEvidence(one, notice, about));
}

function withEvidence(
  subscription: Subscription,
  { notice, about, on, announces }: BillingData<"NoticeDelivered">,
): Subscription {
  const { evidence, announced } = subscription;
  const isPrice = announced?.effective === about;
  switch (notice) {
    case "annual-first":
      return { ...subscription, evidence: { ...evidence, first: on } };
    case "annual-second":
      return { ...subscription, evidence: { ...evidence, second: on } };
    case "reminder":
      if (announces === null) return subscription;
      return { ...subscription, evidence: { ...evidence, reminder: { on, announces } } };
    case "price-first":
      return isPrice ? { ...subscription, announced: { ...announced, first: on } } : subscription;
    case "price-second":
      return isPrice ? { ...subscription, announced: { ...announced, second: on } } : subscription;
    default:
      return subscription;
  }
}

/** A mail that came back is no evidence. */
function withoutEvidence(subscription: Subscription, notice: Notice, about: string): Subscription {
  const { evidence, announced } = subscription;
  if (announced?.effective === about) {
    if (notice === "price-first")
      return { ...subscription, announced: { ...announced, first: null } };
    if (notice === "price-second")
      return { ...subscription, announced: { ...announced, second: null } };
  }
  if (about !== subscription.cover.to) return subscription;
  if (notice === "annual-first") return { ...subscription, evidence: { ...evidence, first: null } };
  if (notice === "reminder") return { ...subscription, evidence: { ...evidence, reminder: null } };
  return subscription;
}

/** The mail that an event makes due, and what it is about. */
export function owedAfter(
  state: BillingState,
  event: BillingEvent,
): readonly [Notice, string] | null {
  switch (event.type) {
    case "SubscriptionStarted":
      return ["order", event.data.contract];
    case "UpgradeApplied":
      return ["changed", event.data.charge ?? event.data.cover.from];
    case "DowngradeScheduled":
      return ["downgrade", event.data.effective];
    case "CancellationRequested":
      return ["cancelled", event.data.endsOn];
    case "WithdrawalConfirmed":
      return ["withdrawn", event.data.contract];
    case "Resumed":
      return ["resumed", state.subscription?.cover.to ?? ""];
    case "PlanRenewed":
      return ["paid", event.data.charge];
    default:
      return owedForMoney(state, event);
  }
}

function owedForMoney(state: BillingState, event: BillingEvent): readonly [Notice, string] | null {
  switch (event.type) {
    case "ChargeFailed":
      if (event.data.reason === "superseded" || !isRenewal(state, event.data.charge)) return null;
      return ["payment-failed", event.data.charge];
    case "ChargeHeld":
      return isRenewal(state, event.data.charge) ? ["confirm-payment", event.data.charge] : null;
    case "SubscriptionEnded":
      return event.data.reason === "withdrawal" ? null : ["ended", event.data.reason];
    case "RefundSettled":
      return ["refunded", event.data.refund];
    case "RefundFailed":
      return ["refund-failed", event.data.refund];
    case "DisputeOpened":
      return event.data.kind === "open" ? ["dispute", event.data.charge] : null;
    default:
      return null;
  }
}

const isRenewal = ({ charges }: BillingState, key: string): boolean =>
  charges.find(({ charge }) => charge === key)?.purpose === "renewal";
