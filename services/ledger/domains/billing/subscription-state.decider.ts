import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import { discountIn } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Charge, Subscription } from "@pro-talent/schemas/billing/state";
import { dayIn, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** What an event changes of the subscription's begin, terms and end. */
export function afterContract(state: BillingState, event: BillingEvent, at: Instant): BillingState {
  switch (event.type) {
    case "SubscriptionStarted":
      return started(state, event.data, at);
    case "WithdrawalConfirmed":
      return { ...state, charges: owedBack(state.charges, event.data.contract) };
    case "SubscriptionEnded":
      return { ...state, subscription: null, ended: { reason: event.data.reason, at } };
    case "AccountParked":
      return { ...state, parked: { reason: event.data.reason, at } };
    case "BuyingAllowed":
      return { ...state, invited: true };
    case "DiscountGranted":
      return { ...state, discount: { percent: event.data.percent, used: false } };
    case "AccountReleased":
      return { ...state, parked: null };
    case "AccountClosed": {
      const isKnown = state.checkouts.length > 0 || state.charges.length > 0;
      return { ...state, closed: true, owed: [], forgetAt: isKnown ? at : null };
    }
    case "CustomerForgotten":
      return { ...state, forgetAt: null };
    default:
      return withSubscription(state, (subscription) => afterTerms(subscription, event, at));
  }
}

/** The state with a change of its subscription, if there is one. */
export function withSubscription(
  state: BillingState,
  change: (subscription: Subscription) => Subscription,
): BillingState {
  return state.subscription === null
    ? state
    : { ...state, subscription: change(state.subscription) };
}

const noEvidence = { first: null, second: null, reminder: null } as const;

function afterTerms(subscription: Subscription, event: BillingEvent, at: Instant): Subscription {
  switch (event.type) {
    case "PlanRenewed": {
      const { price, place, cover } = event.data;
      const { announced } = subscription;
      const isOver = announced !== null && cover.from >= announced.effective;
      return {
        ...subscription,
        price,
        place,
        cover,
        scheduled: null,
        dunning: null,
        evidence: noEvidence,
        announced: isOver ? null : announced,
      };
    }
    case "UpgradeApplied": {
      const { price, place, cover } = event.data;
      const moved = place.anchor !== subscription.place.anchor;
      const evidence = moved ? noEvidence : subscription.evidence;
      const changed = { ...subscription, price, place, cover, evidence, scheduled: null };
      return { ...changed, ending: endingAfter(changed), announced: null };
    }
    case "DowngradeScheduled":
      return { ...subscription, scheduled: event.data, announced: null };
    case "DowngradeDropped":
      return { ...subscription, scheduled: null };
    case "CancellationRequested":
    case "RenewalStopped":
      return { ...subscription, ending: event.data, scheduled: null };
    case "Resumed":
      return { ...subscription, ending: null };
    case "GraceStarted": {
      const dunning = { ...event.data, attempts: 0, hard: false, newCard: false };
      return { ...subscription, dunning };
    }
    case "RenewalLapsed":
      return { ...subscription, evidence: noEvidence };
    case "PriceAnnounced": {
      const on = dayIn(at, subscription.zone);
      return { ...subscription, announced: { ...event.data, on, first: null, second: null } };
    }
    default:
      return subscription;
  }
}

/** Cancelled while the bank still confirmed an upgrade: what was paid for since is kept until its end. */
function endingAfter({ ending, cover, zone }: Subscription): Subscription["ending"] {
  return ending && { endsOn: cover.to, endsAt: startOfDay(cover.to, zone) };
}

function started(
  state: BillingState,
  data: BillingData<"SubscriptionStarted">,
  at: Instant,
): BillingState {
  const { contract, price, place, cover, zone, refundUntil } = data;
  const subscription: Subscription = {
    contract,
    price,
    place,
    zone,
    refundUntil,
    confirmedOn: null,
    cover,
    startedOn: dayIn(at, zone),
    ending: null,
    scheduled: null,
    announced: null,
    evidence: noEvidence,
    dunning: null,
  };
  const charges = state.charges.map((one) =>
    one.charge === contract ? { ...one, place, cover } : one,
  );
  const isReduced = charges.some(
    ({ charge, terms }) => charge === contract && discountIn(terms) !== undefined,
  );
  const discount = isReduced && state.discount ? { ...state.discount, used: true } : state.discount;
  return { ...state, subscription, charges, discount, ended: null };
}

function owedBack(charges: readonly Charge[], contract: string): readonly Charge[] {
  return charges.map((one) => (one.contract === contract ? { ...one, owedBack: true } : one));
}
