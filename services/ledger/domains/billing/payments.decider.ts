import { lastWithdrawalDay, periodAt } from "@pro-talent/schemas/billing/calendar";
import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import { discountIn, type TaxRate } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Charge } from "@pro-talent/schemas/billing/state";
import { dayIn, dayPlus, latestDay, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";

import {
  type ObservedPayment,
  recordDispute,
  recordReturned,
  refundKey,
} from "./disputes.decider.ts";
import { discountLeft, isRunning, periodTerms } from "./quotes.decider.ts";
import {
  chargeDay,
  chargeDueAt,
  coverOf,
  failedRenewal,
  graceDays,
  nextPrice,
  openCharge,
  paidPeriod,
  placeFrom,
  todayOf,
} from "./renewal.decider.ts";

type Events = readonly BillingEvent[];

const hourMs = 60 * 60 * 1000;
/** A payment that its holder does not confirm within this time has failed. */
export const confirmMs = 24 * hourMs;
/** A payment without an end for so long is looked into by an administrator. */
export const unsettledMs = 7 * 24 * hourMs;

type Intended = {
  readonly charge: string;
  readonly taxes: readonly TaxRate[];
  readonly notBefore: Instant | null;
};

/**
 * Intends the charge that is due, if one is: a renewal, or another attempt at it. Several periods that
 * passed meanwhile lead to one charge at most, for a period that is not over.
 */
export function intendCharge(
  state: BillingState,
  { charge, taxes, notBefore }: Intended,
  now: Instant,
): Events {
  const { subscription } = state;
  const dueAt = chargeDueAt(state);
  if (subscription === null || dueAt === null || now < dueAt || !isRunning(state, now)) return [];
  if (subscription.dunning !== null) {
    const failed = failedRenewal(state);
    if (failed === undefined) return [];
    const { purpose, price, place, terms, cover } = failed;
    if (purpose === "start") return [];
    return [{ type: "ChargeIntended", data: { charge, purpose, price, place, terms, cover } }];
  }
  const due = chargeDay(subscription);
  if (due === null) return [];
  const day = notBefore === null ? due : latestDay(due, dayIn(notBefore, subscription.zone));
  const place = placeFrom(subscription, day);
  if (todayOf(subscription, now) >= periodAt(place).to) {
    return [{ type: "RenewalLapsed", data: { renewal: paidPeriod(subscription).to } }];
  }
  const price = nextPrice(subscription);
  const cover = coverOf(place, price.amount);
  const terms = periodTerms(price, place, taxes);
  const data = { charge, purpose: "renewal", price, place, terms, cover } as const;
  return [{ type: "ChargeIntended", data }];
}

/** What follows from a payment as the provider holds it now; nothing when it is known already. */
export function recordPayment(
  state: BillingState,
  key: string,
  payment: ObservedPayment,
  now: Instant,
): Events {
  const charge = state.charges.find((one) => one.charge === key);
  if (charge === undefined) return [];
  const { amount, currency } = payment.amount;
  if (amount !== charge.terms.total || currency !== charge.terms.currency) {
    return state.parked === null
      ? [{ type: "AccountParked", data: { reason: "payment-differs" } }]
      : [];
  }
  return [
    ...recordStatus(state, charge, payment, now),
    ...recordReturned(state, charge, payment),
    ...recordDispute(state, charge, payment, now),
  ];
}

function recordStatus(
  state: BillingState,
  charge: Charge,
  payment: ObservedPayment,
  now: Instant,
): Events {
  if (payment.status === "succeeded") {
    return charge.status === "succeeded" ? [] : succeeded(state, charge, payment.paymentId, now);
  }
  if (charge.status !== "open" && charge.status !== "held") return [];
  const age = instantPlus(charge.at, payment.status === "processing" ? unsettledMs : confirmMs);
  switch (payment.status) {
    case "failed":
      return failed(state, charge, payment.failure ?? unexplained, now);
    case "action-required":
      if (now >= age) return failed(state, charge, { reason: "not-confirmed", hard: false }, now);
      return charge.status === "held" ? [] : held(state, charge, payment.paymentId, now);
    case "processing":
      if (now < age || state.parked !== null) return [];
      return [{ type: "AccountParked", data: { reason: "payment-unsettled" } }];
  }
}

const unexplained = { reason: "other", hard: false } as const;

function failed(
  state: BillingState,
  charge: Charge,
  { reason, hard }: Omit<BillingData<"ChargeFailed">, "charge">,
  now: Instant,
): Events {
  if (isPaidOtherwise(state, charge)) return [asSuperseded(charge)];
  return [
    ...(charge.purpose === "renewal" ? grace(state, now) : []),
    { type: "ChargeFailed", data: { charge: charge.charge, reason, hard } },
  ];
}

function held(state: BillingState, charge: Charge, payment: string, now: Instant): Events {
  if (isPaidOtherwise(state, charge)) return [asSuperseded(charge)];
  return [
    ...(charge.purpose === "renewal" ? grace(state, now) : []),
    { type: "ChargeHeld", data: { charge: charge.charge, payment } },
  ];
}

/** Whether an attempt at a renewal is not needed any more: an earlier one was confirmed meanwhile. */
function isPaidOtherwise({ subscription }: BillingState, { purpose, contract, place }: Charge) {
  if (purpose !== "renewal" || subscription === null) return false;
  return subscription.contract !== contract || periodAt(place).from < paidPeriod(subscription).to;
}

function asSuperseded({ charge }: Charge): BillingEvent {
  return { type: "ChargeFailed", data: { charge, reason: "superseded", hard: false } };
}

/** The first failure of a renewal begins the time in which access stays without a payment. */
function grace({ subscription }: BillingState, now: Instant): Events {
  if (subscription?.dunning !== null) return [];
  const failedOn = todayOf(subscription, now);
  const endsAt = startOfDay(dayPlus(failedOn, graceDays), subscription.zone);
  return [{ type: "GraceStarted", data: { failedOn, endsAt } }];
}

/** A payment that leads to nothing is returned at once: a second one, or one that came too late. */
function succeeded(state: BillingState, charge: Charge, payment: string, now: Instant): Events {
  const paid: BillingEvent = { type: "ChargeSucceeded", data: { charge: charge.charge, payment } };
  const effect = effectOf(state, charge, now);
  return [paid, ...(effect ?? [notNeeded(state, charge)])];
}

function notNeeded(state: BillingState, { charge, terms }: Charge): BillingEvent {
  const refund = refundKey(state, charge);
  const data = { refund, charge, amount: terms.total, reason: "not-needed" } as const;
  return { type: "RefundIntended", data };
}

function effectOf(state: BillingState, charge: Charge, now: Instant): Events | null {
  switch (charge.purpose) {
    case "start":
      return startOf(state, charge, now);
    case "renewal":
      return renewalOf(state, charge, now);
    case "upgrade":
      return upgradeOf(state, charge, now);
  }
}

function startOf(state: BillingState, charge: Charge, now: Instant): Events | null {
  const checkout = state.checkouts.find((one) => one.checkout === charge.charge);
  if (checkout === undefined || state.closed || isRunning(state, now)) return null;
  const { zone } = checkout;
  const { price, terms } = charge;
  // Two pages may have been opened with the discount, and paid one after the other.
  if (discountIn(terms) !== undefined && discountLeft(state) === 0) return null;
  const anchor = dayIn(now, zone);
  const place = { anchor, months: 0, cycle: price.cycle };
  const cover = coverOf(place, terms.total);
  const refundUntil = startOfDay(dayPlus(lastWithdrawalDay(anchor), 1), zone);
  const data = { contract: charge.charge, price, place, cover, zone, refundUntil };
  return [...endIfDue(state, now), { type: "SubscriptionStarted", data }];
}

/** A renewal counts when it pays a later period than the one that is paid, and one that is not over. */
function renewalOf(state: BillingState, charge: Charge, now: Instant): Events | null {
  const { subscription } = state;
  if (subscription === null || subscription.contract !== charge.contract) return null;
  if (subscription.ending !== null || !isRunning(state, now)) return null;
  const { from, to } = periodAt(charge.place);
  if (from < paidPeriod(subscription).to || todayOf(subscription, now) >= to) return null;
  const { price, place, cover } = charge;
  const other = openCharge(state);
  // A later attempt at the same renewal need not be confirmed any more.
  const isOther = other !== undefined && other.charge !== charge.charge;
  return [
    { type: "PlanRenewed", data: { charge: charge.charge, price, place, cover } },
    ...(isOther && other.purpose === "renewal" ? superseded(other) : []),
  ];
}

/** Computed for the terms of its day: one that was given up in between is not applied to others. */
function upgradeOf(state: BillingState, charge: Charge, now: Instant): Events | null {
  const { subscription } = state;
  if (subscription === null || subscription.contract !== charge.contract) return null;
  if (charge.status === "failed" || !isRunning(state, now)) return null;
  if (todayOf(subscription, now) >= charge.cover.to) return null;
  const { price, place, cover } = charge;
  return [{ type: "UpgradeApplied", data: { charge: charge.charge, price, place, cover } }];
}

/** The end of a subscription whose time is over. */
export function endIfDue(state: BillingState, now: Instant): Events {
  const { subscription } = state;
  if (subscription === null || isRunning(state, now)) return [];
  const reason = subscription.ending === null ? "unpaid" : "cancelled";
  const open = openCharge(state);
  return [
    { type: "SubscriptionEnded", data: { reason } },
    ...(open === undefined ? [] : superseded(open)),
  ];
}

/** A payment that is not over when its subscription ends: if it succeeds later it is returned. */
function superseded(charge: Charge): Events {
  return charge.status === "open" ? [] : [asSuperseded(charge)];
}

/** A charge that the provider does not know is given up. */
export function dropCharge(state: BillingState, key: string): Events {
  const open = openCharge(state);
  if (open?.charge !== key) return [];
  return [asSuperseded(open)];
}
