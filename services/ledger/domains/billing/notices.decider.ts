import type { BillingData, BillingEvent, Notice } from "@pro-talent/schemas/billing/events";
import type { BillingState, MailFailure, Subscription } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { refusalsMax } from "./renewal.decider.ts";
import { withSubscription } from "./subscription-state.decider.ts";

/** Notices whose delivery has an effect: what rests on one does not hold once its mail came back. */
export const evidenceNotices = [
  "order",
  "annual-first",
  "annual-second",
  "reminder",
  "price-first",
  "price-second",
] as const satisfies readonly Notice[];
type EvidenceNotice = (typeof evidenceNotices)[number];
const evidence: ReadonlySet<Notice> = new Set(evidenceNotices);
export const isEvidence = (notice: Notice): notice is EvidenceNotice => evidence.has(notice);

type Named = { readonly notice: Notice; readonly about: string };

/** Whether a mail counts as delivered now: only then can it come back. */
export function isDelivered({ subscription }: BillingState, { notice, about }: Named): boolean {
  if (subscription === null || !isEvidence(notice)) return false;
  const { contract, confirmedOn, announced, evidence: proof, cover } = subscription;
  const proofs: Readonly<
    Record<EvidenceNotice, readonly [about: string | undefined, proof: unknown]>
  > = {
    order: [contract, confirmedOn],
    "annual-first": [cover.to, proof.first],
    "annual-second": [cover.to, proof.second],
    reminder: [cover.to, proof.reminder],
    "price-first": [announced?.effective, announced?.first],
    "price-second": [announced?.effective, announced?.second],
  };
  const [of, found = null] = proofs[notice];
  return about === of && found !== null;
}

/** What an event changes of the mails: which are owed, and which are evidence. */
export function afterMail(state: BillingState, event: BillingEvent, at: Instant): BillingState {
  switch (event.type) {
    case "NoticeDelivered":
      return delivered(state, event.data);
    case "NoticeFailed":
      return failed(state, event.data, at);
    default:
      return state;
  }
}

const isSame = (one: Named) => (other: Named) =>
  one.notice === other.notice && one.about === other.about;

/** The state without a mail that is owed: the first of its kind, the others stay. */
function withoutOwed({ owed }: BillingState, mail: Named): BillingState["owed"] {
  const index = owed.findIndex(isSame(mail));
  return owed.filter((_one, place) => place !== index);
}

function delivered(state: BillingState, data: BillingData<"NoticeDelivered">): BillingState {
  // A mail that counts may still come back: then the refusals before it count as well.
  const mailFailures = state.mailFailures.flatMap((one) => {
    if (!isSame(data)(one)) return [one];
    return one.refused > 0 && isEvidence(data.notice) ? [{ ...one, count: 0 }] : [];
  });
  const next = { ...state, owed: withoutOwed(state, data), mailFailures };
  return withSubscription(next, (one) => withEvidence(one, data));
}

function failed(state: BillingState, data: BillingData<"NoticeFailed">, at: Instant): BillingState {
  const { notice, about, reason } = data;
  const before = state.mailFailures.find(isSame(data));
  const isRefused = reason === "refused" || reason === "bounced";
  const failure: MailFailure = {
    notice,
    about,
    at,
    count: (before?.count ?? 0) + 1,
    refused: (before?.refused ?? 0) + (isRefused ? 1 : 0),
  };
  const others = state.mailFailures.filter((one) => !isSame(data)(one));
  const isGivenUp = failure.refused >= refusalsMax;
  const next = {
    ...state,
    mailFailures: [...others, failure],
    owed: isGivenUp ? withoutOwed(state, data) : state.owed,
  };
  if (reason !== "bounced") return next;
  // The confirmation of an order is owed until it is delivered; other notices become due by themselves.
  const isOwedAgain = notice === "order" && !isGivenUp && isDelivered(state, data);
  const owed = isOwedAgain ? [...next.owed, { notice, about, at }] : next.owed;
  return withSubscription({ ...next, owed }, (one) => withoutEvidence(one, notice, about));
}

function withEvidence(
  subscription: Subscription,
  { notice, about, on, announces }: BillingData<"NoticeDelivered">,
): Subscription {
  const { evidence, announced, contract } = subscription;
  const isPrice = announced?.effective === about;
  switch (notice) {
    case "order":
      return about === contract ? { ...subscription, confirmedOn: on } : subscription;
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
  const { evidence, announced, contract, cover } = subscription;
  const isRenewal = about === cover.to;
  const isPrice = announced?.effective === about;
  switch (notice) {
    case "order":
      return about === contract ? { ...subscription, confirmedOn: null } : subscription;
    case "annual-first":
      return isRenewal ? { ...subscription, evidence: { ...evidence, first: null } } : subscription;
    case "annual-second":
      return isRenewal
        ? { ...subscription, evidence: { ...evidence, second: null } }
        : subscription;
    case "reminder":
      return isRenewal
        ? { ...subscription, evidence: { ...evidence, reminder: null } }
        : subscription;
    case "price-first":
      return isPrice ? { ...subscription, announced: { ...announced, first: null } } : subscription;
    case "price-second":
      return isPrice
        ? { ...subscription, announced: { ...announced, second: null } }
        : subscription;
    default:
      return subscription;
  }
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
