import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import { PlanCode } from "../subscription/plan.ts";
import { BillingCycle } from "./calendar.ts";
import { checkoutDocuments } from "./consent-texts.ts";
import { chargePurposes, parkingReasons, ProviderId, RefundKey, refundReasons } from "./events.ts";
import { Money } from "./money.ts";
import { ChargeTerms, DiscountPercent, PaidPlan } from "./prices.ts";
import { PlanChoice, Quote } from "./quotes.ts";

export const billingProblems = defineProblems({
  billing_closed: [403, "Plans cannot be bought yet."],
  subscription_none: [409, "There is no subscription."],
  subscription_exists: [409, "There is a subscription already. Change it instead."],
  subscription_ended: [409, "The subscription has ended."],
  plan_unchanged: [409, "This is the plan and cycle already."],
  nothing_scheduled: [409, "No change is scheduled."],
  not_cancelled: [409, "The subscription is not cancelled."],
  already_cancelled: [409, "The subscription is cancelled already."],
  charge_open: [409, "A payment is under way. Wait for it to end."],
  payment_overdue: [409, "A payment is overdue. Settle it first."],
  account_parked: [409, "Billing of this account is being checked."],
  quote_changed: [409, "What was shown no longer holds. Read it again."],
  consents_missing: [422, "The texts of the checkout must be accepted as they are today."],
  checkout_unknown: [404, "This checkout is not known."],
  payment_declined: [402, "The payment was declined."],
  payment_unavailable: [503, "Payments are not reachable right now. Nothing was charged."],
  hint_refused: [400, "The event is not one of the provider's."],
});
const problems = billingProblems;

/** SHA-256 of a quote, in hexadecimal digits. */
const QuoteHash = z.string().regex(/^[0-9a-f]{64}$/);
const QuoteAnswer = z.object({ quote: Quote, hash: QuoteHash });
const HashBody = z.object({ hash: QuoteHash });

/** What the account's holder sees of the card; read from the provider when it is asked for. */
const Card = z.object({
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
});

/** A button, and what it would do now. */
const Action = z.object({
  hash: QuoteHash,
  /** Of a change. */
  choice: PlanChoice.nullable(),
  quote: Quote,
});

/** Everything that the page of the subscription shows (specification §3). */
export const SubscriptionAnswer = z.object({
  plan: PlanCode,
  status: z.enum(["none", "active", "ending", "overdue"]),
  cycle: BillingCycle.nullable(),
  /** For one cycle, taxes included. */
  price: Money.nullable(),
  /** The time zone of the contract's days. */
  zone: z.string().nullable(),
  subscribedOn: Day.nullable(),
  periodFrom: Day.nullable(),
  periodTo: Day.nullable(),
  nextBilling: z.object({ on: Day, amount: z.int(), currency: z.string() }).nullable(),
  /** While the contract can be withdrawn from. `daysLeft` are the days after today: 0 on the last day. */
  refund: z.object({ daysLeft: z.int(), lastDay: Day, until: Instant, amount: Money }).nullable(),
  /** When access ends; null while it does not. */
  accessUntil: Instant.nullable(),
  scheduled: z.object({ plan: PaidPlan, cycle: BillingCycle, price: Money, on: Day }).nullable(),
  /** A price that was announced for a renewal. */
  announcedPrice: z.object({ price: Money, on: Day }).nullable(),
  attention: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("payment-failed"), accessUntil: Instant }),
      /** The holder's bank asks to confirm the payment at `url`; null when it cannot be read now. */
      z.object({ kind: z.literal("confirm-payment"), url: z.string().nullable() }),
      z.object({ kind: z.literal("being-checked") }),
    ])
    .nullable(),
  /** What the payment of the next new subscription is reduced by. */
  discountPercent: DiscountPercent.nullable(),
  card: Card.nullable(),
  entitlements: z.array(z.string()),
  actions: z.array(Action),
});
export type SubscriptionAnswer = z.infer<typeof SubscriptionAnswer>;

const Consent = z.object({
  document: z.enum(checkoutDocuments),
  version: z.string().max(40),
  language: Locale,
});

/** Applied, or to be completed on a page of the provider. */
const Applied = z.discriminatedUnion("status", [
  z.object({ status: z.literal("applied") }),
  z.object({ status: z.literal("redirect"), checkoutId: ProviderId, url: z.string() }),
  /** The holder's bank asks to confirm the payment. */
  z.object({ status: z.literal("confirm"), url: z.string() }),
  /** The provider has not answered yet; it follows. */
  z.object({ status: z.literal("pending") }),
]);
const Done = z.object({ status: z.literal("done") });

const Payment = z.object({
  chargeId: Uuid,
  at: Instant,
  purpose: z.enum(chargePurposes),
  terms: ChargeTerms,
  status: z.enum(["open", "confirm", "succeeded", "failed"]),
  /** In minor units. */
  returned: z.int(),
  dispute: z.enum(["inquiry", "open", "won", "lost", "withdrawn"]).nullable(),
});
const Refund = z.object({
  refundId: RefundKey,
  chargeId: Uuid,
  at: Instant,
  amount: z.int(),
  currency: z.string(),
  reason: z.enum(refundReasons),
  status: z.enum(["intended", "succeeded", "failed"]),
});

const acting = [
  problems.quote_changed,
  problems.subscription_none,
  problems.subscription_ended,
  problems.account_parked,
  problems.charge_open,
] as const;

/** For account holders about their own subscription. */
export const subscriptionCalls = defineCalls({
  "GET /api/subscription": {
    summary: "The subscription, and for every button what it would do now",
    access: signedIn,
    answer: SubscriptionAnswer,
  },
  "POST /api/subscription/change-quote": {
    summary: "What another plan or cycle would do, on which date and at which price",
    access: signedIn,
    body: PlanChoice,
    answer: QuoteAnswer,
    problems: [
      ...acting,
      problems.plan_unchanged,
      problems.payment_overdue,
      problems.already_cancelled,
    ],
  },
  "POST /api/subscription/change": {
    summary: "Changes plan or cycle as quoted: an upgrade is paid at once, a downgrade waits",
    access: signedIn,
    body: PlanChoice.unwrap().extend({ hash: QuoteHash }),
    answer: Applied,
    problems: [
      ...acting,
      problems.plan_unchanged,
      problems.payment_overdue,
      problems.already_cancelled,
      problems.payment_declined,
    ],
  },
  "POST /api/subscription/cancel-quote": {
    summary: "What cancelling would do: full refund within the window, later the end of the period",
    access: signedIn,
    answer: QuoteAnswer,
    problems: [...acting, problems.already_cancelled],
  },
  "POST /api/subscription/cancel": {
    summary: "Cancels as quoted; a receipt with date and time is mailed",
    access: { ...signedIn, stepUp: true },
    body: HashBody,
    answer: Done.extend({ at: Instant }),
    problems: [...acting, problems.already_cancelled],
  },
  "POST /api/subscription/resume": {
    summary: "Takes a cancellation back before the end of the period",
    access: signedIn,
    body: HashBody,
    answer: Done,
    problems: [...acting, problems.not_cancelled],
  },
  "POST /api/subscription/drop-downgrade": {
    summary: "Takes a scheduled change back",
    access: signedIn,
    body: HashBody,
    answer: Done,
    problems: [...acting, problems.nothing_scheduled],
  },
  "GET /api/payments": {
    summary: "Payments and refunds, the newest first",
    access: signedIn,
    answer: z.object({ payments: z.array(Payment), refunds: z.array(Refund) }),
  },
});

/** What is completed on a page of the provider. */
export const checkoutCalls = defineCalls({
  "POST /api/checkout/quote": {
    summary: "What a new subscription would cost now",
    access: signedIn,
    body: PlanChoice,
    answer: QuoteAnswer,
    problems: [problems.billing_closed, problems.subscription_exists, problems.account_parked],
  },
  "POST /api/checkout": {
    summary: "Records the consents and opens the provider's page that pays a quote",
    access: signedIn,
    body: PlanChoice.unwrap().extend({
      hash: QuoteHash,
      consents: z.array(Consent).max(checkoutDocuments.length),
      language: Locale,
    }),
    answer: Applied,
    problems: [
      problems.billing_closed,
      problems.subscription_exists,
      problems.account_parked,
      problems.quote_changed,
      problems.consents_missing,
      problems.payment_unavailable,
    ],
  },
  "GET /api/checkout/:checkoutId": {
    summary: "Where a checkout is, by the provider's id of it",
    access: signedIn,
    params: z.object({ checkoutId: ProviderId }),
    answer: z.object({
      status: z.enum(["open", "completed", "expired", "refunded"]),
      /** Where an open one goes on; null when it cannot be read now. */
      url: z.string().nullable(),
    }),
  },
  "POST /api/subscription/card": {
    summary: "Opens the provider's page that stores another card",
    access: signedIn,
    body: z.object({ language: Locale }),
    answer: Applied,
    problems: [problems.subscription_none, problems.payment_unavailable],
  },
});

const administrator = { roles: ["administrator"] } as const;

/** For administrators. */
export const parkedCalls = defineCalls({
  "GET /api/console/billing/parked": {
    summary: "Accounts whose billing is stopped because something contradicts itself",
    access: administrator,
    answer: z.object({
      accounts: z.array(
        z.object({ accountId: Uuid, reason: z.enum(parkingReasons), since: Instant }),
      ),
    }),
  },
  "POST /api/console/billing/parked/:accountId/release": {
    summary: "Lets billing of an account go on",
    access: { ...administrator, stepUp: true },
    params: z.object({ accountId: Uuid }),
    answer: Done,
    problems: [problems.subscription_none],
  },
});

/** For the services that enforce what a plan includes. */
export const internalBillingCalls = defineCalls({
  "GET /internal/entitlements/:accountId": {
    summary: "What the plan of an account includes now, and whether its data may be used at all",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({
      entitlements: z.array(z.string()),
      /** The account is to be deleted: nothing of it is shown or evaluated. */
      restricted: z.boolean(),
    }),
  },
});

/** For payment providers: a signed hint that something changed, which is then looked up. */
export const webhookCalls = defineCalls({
  "POST /api/payments/webhooks/:provider": {
    summary: "Takes a signed event of a payment provider",
    access: "public",
    params: z.object({ provider: z.enum(["sandbox", "stripe"]) }),
    bodyBytesMax: 256 * 1024,
    answer: z.object({ status: z.literal("received") }),
    problems: [problems.hint_refused],
  },
});
