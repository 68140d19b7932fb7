import { createHash } from "node:crypto";

import type { SubscriptionAnswer } from "@pro-talent/schemas/billing/calls";
import type { Price } from "@pro-talent/schemas/billing/prices";
import type { PlanChoice, Quote } from "@pro-talent/schemas/billing/quotes";
import type { BillingState, Subscription } from "@pro-talent/schemas/billing/state";
import { dayIn, dayPlus, daysBetween } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { type Entitlement, entitlementsOf } from "@pro-talent/schemas/subscription/entitlements";
import type { Plan } from "@pro-talent/schemas/subscription/plan";
import { plans } from "@pro-talent/schemas/subscription/plans";

import { canonicalJson } from "../../kernel/canonical-json.ts";
import type { Refusal } from "../../kernel/types.ts";
import type { PaymentCard, PaymentState } from "./payments/port.ts";
import {
  discountLeft,
  isRunning,
  nextOf,
  type PriceTerms,
  quoteCancel,
  quoteChange,
  quoteDrop,
  type QuoteRefusalCode,
  quoteResume,
  returnable,
} from "./quotes.decider.ts";
import {
  accessEndsAt,
  isDisputed,
  openCharge,
  paidPeriod,
  planAt,
  refundEndsAt,
  todayOf,
} from "./renewal.decider.ts";

/** What an act repeats, so that it does what was shown. */
export const hashOf = (quote: Quote): string =>
  createHash("sha256").update(canonicalJson(quote)).digest("hex");

const choices: readonly PlanChoice[] = [
  { plan: "essential", cycle: "monthly" },
  { plan: "essential", cycle: "annual" },
  { plan: "premium", cycle: "monthly" },
  { plan: "premium", cycle: "annual" },
];

const moneyOf = ({ amount, currency }: Price) => ({ amount, currency });

/** What a plan includes. */
export function entitlementsIn(plan: Plan["code"]): Entitlement[] {
  const features = plans.find(({ code }) => code === plan)?.features ?? plans[0].features;
  return [...entitlementsOf(features)];
}

export type HeldByProvider = {
  readonly payment: PaymentState | undefined;
  readonly card: PaymentCard | undefined;
};

/**
 * Everything that the page of a subscription shows, computed by the functions that the acts use.
 * @param held what the provider holds: the latest payment, and the card that renewals are charged to;
 *   undefined when there is none, or no answer
 */
export function subscriptionView(
  state: BillingState,
  terms: PriceTerms,
  now: Instant,
  { payment, card }: HeldByProvider,
): SubscriptionAnswer {
  const plan = planAt(state, now);
  const subscription = isRunning(state, now) ? state.subscription : null;
  const shared = {
    plan,
    accessUntil: subscription && accessEndsAt(state),
    attention: attentionOf(state, payment),
    discountPercent: discountLeft(state) || null,
    card: card ?? null,
    entitlements: entitlementsIn(plan),
    actions: subscription === null ? [] : actionsOf(state, terms, now),
  };
  return subscription === null
    ? { ...nothing, ...shared }
    : { ...shared, ...fieldsOf(state, subscription, now) };
}

const nothing = {
  status: "none",
  cycle: null,
  price: null,
  zone: null,
  subscribedOn: null,
  periodFrom: null,
  periodTo: null,
  nextBilling: null,
  refund: null,
  scheduled: null,
  announcedPrice: null,
} as const;

function fieldsOf(state: BillingState, subscription: Subscription, now: Instant) {
  const { price, zone, startedOn, scheduled, announced, ending, dunning } = subscription;
  const { from, to } = paidPeriod(subscription);
  const charged = ending === null && dunning === null && !isDisputed(state);
  return {
    status: statusOf(subscription),
    cycle: price.cycle,
    price: moneyOf(price),
    zone,
    subscribedOn: startedOn,
    periodFrom: from,
    periodTo: to,
    nextBilling: charged ? nextOf(subscription) : null,
    refund: refundOf(state, subscription, now),
    scheduled: scheduled && {
      plan: scheduled.price.plan,
      cycle: scheduled.price.cycle,
      price: moneyOf(scheduled.price),
      on: scheduled.effective,
    },
    announcedPrice: announced && { price: moneyOf(announced.price), on: announced.effective },
  };
}

function statusOf({ ending, dunning }: Subscription): SubscriptionAnswer["status"] {
  if (ending !== null) return "ending";
  return dunning === null ? "active" : "overdue";
}

/** The days left are those after today: none on the last day. */
function refundOf(state: BillingState, subscription: Subscription, now: Instant) {
  const { zone, contract, price } = subscription;
  const until = refundEndsAt(subscription, now);
  if (now >= until) return null;
  const lastDay = dayPlus(dayIn(until, zone), -1);
  const amount = returnable(state, contract).reduce((sum, one) => sum + one.amount, 0);
  return {
    daysLeft: daysBetween(todayOf(subscription, now), lastDay),
    lastDay,
    until,
    amount: { amount, currency: price.currency },
  };
}

function attentionOf(
  state: BillingState,
  payment: PaymentState | undefined,
): SubscriptionAnswer["attention"] {
  if (state.parked !== null) return { kind: "being-checked" };
  if (openCharge(state)?.status === "held") {
    return { kind: "confirm-payment", url: payment?.actionUrl ?? null };
  }
  const endsAt = state.subscription?.dunning?.endsAt;
  return endsAt === undefined ? null : { kind: "payment-failed", accessUntil: endsAt };
}

/** What each button would do now; what is refused now has no button. */
function actionsOf(
  state: BillingState,
  terms: PriceTerms,
  now: Instant,
): SubscriptionAnswer["actions"] {
  const action = (quote: Quote | Refusal<QuoteRefusalCode>, choice: PlanChoice | null = null) =>
    "kind" in quote ? [] : [{ quote, choice, hash: hashOf(quote) }];
  return [
    ...choices.flatMap((choice) => action(quoteChange(state, choice, terms, now), choice)),
    ...action(quoteDrop(state, now)),
    ...action(quoteCancel(state, now)),
    ...action(quoteResume(state, now)),
  ];
}

/** Payments and refunds, the newest first; what was only begun on the provider's page is left out. */
export function paymentsView({ charges, refunds }: BillingState) {
  const shown = charges.flatMap(({ status, ...charge }) =>
    status === "hosted" ? [] : [{ ...charge, status }],
  );
  return {
    payments: shown.toReversed().map((one) => ({
      chargeId: one.charge,
      at: one.at,
      purpose: one.purpose,
      terms: one.terms,
      status: one.status === "held" ? ("confirm" as const) : one.status,
      returned: one.returned,
      dispute: one.dispute?.status ?? null,
    })),
    refunds: refunds.toReversed().map(({ refund, charge, at, amount, reason, status }) => ({
      refundId: refund,
      chargeId: charge,
      at,
      amount,
      currency: charges.find((one) => one.charge === charge)?.terms.currency ?? "USD",
      reason,
      status,
    })),
  };
}
