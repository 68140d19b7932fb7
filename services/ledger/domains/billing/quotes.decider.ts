import {
  lastWithdrawalDay,
  type PeriodPlace,
  periodAt,
} from "@pro-talent/schemas/billing/calendar";
import type { Cover } from "@pro-talent/schemas/billing/events";
import { shareOf } from "@pro-talent/schemas/billing/money";
import {
  type ChargeLine,
  type ChargeTerms,
  chargeTerms,
  discountOn,
  type Price,
  type PriceBook,
  priceOn,
  type TaxRate,
} from "@pro-talent/schemas/billing/prices";
import type { PlanChoice, Quote, QuoteOf } from "@pro-talent/schemas/billing/quotes";
import type { BillingState, Charge, Subscription } from "@pro-talent/schemas/billing/state";
import {
  type Day,
  dayIn,
  dayPlus,
  daysBetween,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { refuse, type Refusal } from "../../kernel/types.ts";
import {
  accessEndsAt,
  coverOf,
  isDisputed,
  nextPrice,
  openCharge,
  paidPeriod,
  refundEndsAt,
  todayOf,
} from "./renewal.decider.ts";

/** What prices and taxes are today. */
export type PriceTerms = { readonly book: PriceBook; readonly taxes: readonly TaxRate[] };

export type QuoteRefusalCode =
  | "subscription_none"
  | "subscription_exists"
  | "subscription_ended"
  | "plan_unchanged"
  | "nothing_scheduled"
  | "not_cancelled"
  | "already_cancelled"
  | "charge_open"
  | "payment_overdue"
  | "account_parked";
type Quoted<Act extends Quote["act"]> = QuoteOf<Act> | Refusal<QuoteRefusalCode>;

const ranks: Readonly<Record<Price["plan"], number>> = { essential: 1, premium: 2 };

/**
 * The terms of a whole period: renewals and first payments.
 * @param percent a discount on the price; taxes are those of the reduced total
 */
export function periodTerms(
  price: Price,
  place: PeriodPlace,
  taxes: readonly TaxRate[],
  percent = 0,
): ChargeTerms {
  const { plan, cycle, amount, currency } = price;
  const what = { plan, cycle, ...periodAt(place) };
  const off = discountOn(amount, percent);
  const lines: readonly ChargeLine[] = [
    { kind: "plan", ...what, amount },
    ...(off === 0 ? [] : [{ kind: "discount" as const, ...what, amount: -off, percent }]),
  ];
  return chargeTerms(lines, currency, taxes);
}

/** The discount that is not used up yet, in per cent; 0 for none. */
export const discountLeft = ({ discount }: BillingState): number =>
  discount === null || discount.used ? 0 : discount.percent;

/**
 * A new subscription that begins today. A granted discount reduces its first period: later ones, upgrades
 * and other changes never. It is used up when the payment has succeeded and begins the subscription; a
 * payment that fails, an abandoned checkout and a payment that leads to nothing leave it, a refund within
 * the window does not give it back.
 * @param zone of the account holder
 */
export function quoteStart(
  state: BillingState,
  { plan, cycle }: PlanChoice,
  { book, taxes }: PriceTerms,
  { now, zone }: { readonly now: Instant; readonly zone: string },
): Quoted<"start"> {
  if (state.parked !== null || state.closed) return refuse("account_parked");
  if (isRunning(state, now)) return refuse("subscription_exists");
  const today = dayIn(now, zone);
  const price = priceOn(book, plan, cycle, today);
  const place: PeriodPlace = { anchor: today, months: 0, cycle };
  const lastRefundDay = lastWithdrawalDay(today);
  return {
    act: "start",
    price,
    place,
    terms: periodTerms(price, place, taxes, discountLeft(state)),
    zone,
    lastRefundDay,
    refundUntil: startOfDay(dayPlus(lastRefundDay, 1), zone),
    next: { on: periodAt(place).to, amount: price.amount, currency: price.currency },
  };
}

/** Whether there is a subscription whose time is not over, also where its timer is late. */
export function isRunning(state: BillingState, now: Instant): boolean {
  const endsAt = accessEndsAt(state);
  return state.subscription !== null && (endsAt === null || now < endsAt);
}

/** The subscription that an act is about, or why there is none. */
function running(state: BillingState, now: Instant): Subscription | Refusal<QuoteRefusalCode> {
  const { subscription, ended } = state;
  if (subscription === null) {
    return refuse(ended === null ? "subscription_none" : "subscription_ended");
  }
  return isRunning(state, now) ? subscription : refuse("subscription_ended");
}

/** Whether terms can be changed: nothing is open, overdue or cancelled. */
function changeable(state: BillingState, now: Instant): Subscription | Refusal<QuoteRefusalCode> {
  const subscription = running(state, now);
  if ("kind" in subscription) return subscription;
  if (state.parked !== null || isDisputed(state)) return refuse("account_parked");
  if (openCharge(state) !== undefined) return refuse("charge_open");
  if (subscription.dunning !== null) return refuse("payment_overdue");
  return subscription.ending === null ? subscription : refuse("already_cancelled");
}

/**
 * Another plan or cycle. A higher plan, or the same for a year, begins at once for the difference; what is
 * lower, or goes from a year to months, begins with the next period.
 */
export function quoteChange(
  state: BillingState,
  choice: PlanChoice,
  terms: PriceTerms,
  now: Instant,
): Quoted<"upgrade" | "downgrade"> {
  const subscription = changeable(state, now);
  if ("kind" in subscription) return subscription;
  const { price } = subscription;
  if (choice.plan === price.plan && choice.cycle === price.cycle) return refuse("plan_unchanged");
  const isLower = ranks[choice.plan] < ranks[price.plan];
  if (!isLower && !(price.cycle === "annual" && choice.cycle === "monthly")) {
    return quoteUpgrade(subscription, choice, terms, now);
  }
  const effective = paidPeriod(subscription).to;
  const later = priceOn(terms.book, choice.plan, choice.cycle, effective);
  const next = { on: effective, amount: later.amount, currency: later.currency };
  return { act: "downgrade", price: later, effective, next };
}

/**
 * Whole days that have passed count as used; today does not. What is left of the payment is a credit: used
 * and credit are exactly what was paid. A longer cycle, or an upgrade in free days, begins a new anchor.
 */
function quoteUpgrade(
  subscription: Subscription,
  { plan, cycle }: PlanChoice,
  { book, taxes }: PriceTerms,
  now: Instant,
): QuoteOf<"upgrade"> {
  const today = todayOf(subscription, now);
  const price = priceOn(book, plan, cycle, today);
  const period = paidPeriod(subscription);
  const isSame = cycle === subscription.place.cycle && today < period.to;
  const place = isSame ? subscription.place : { anchor: today, months: 0, cycle };
  const days = [daysBetween(period.from, today), daysBetween(period.from, period.to)] as const;
  const cover: Cover = isSame
    ? { amount: price.amount - shareOf(price.amount, ...days), from: today, to: period.to }
    : coverOf(place, price.amount);
  const credit = Math.min(creditOn(subscription.cover, today), cover.amount);
  const { plan: before, cycle: cycleBefore } = subscription.price;
  const lines: readonly ChargeLine[] = [
    { kind: "plan", plan, cycle, ...cover },
    ...(credit === 0
      ? []
      : [
          creditLine({
            plan: before,
            cycle: cycleBefore,
            from: today,
            to: period.to,
            amount: -credit,
          }),
        ]),
  ];
  const next = { on: periodAt(place).to, amount: price.amount, currency: price.currency };
  const terms = chargeTerms(lines, price.currency, taxes);
  return { act: "upgrade", on: today, price, place, cover, terms, next };
}

const creditLine = (line: Omit<ChargeLine, "kind">): ChargeLine => ({ kind: "credit", ...line });

/** What is left on a day of what was paid: all of it less the share of whole days, rounded once. */
export function creditOn({ amount, from, to }: Cover, today: Day): number {
  const all = daysBetween(from, to);
  const used = Math.min(Math.max(daysBetween(from, today), 0), all);
  return amount - shareOf(amount, used, all);
}

/** The scheduled change is taken back. */
export function quoteDrop(state: BillingState, now: Instant): Quoted<"drop-downgrade"> {
  const subscription = running(state, now);
  if ("kind" in subscription) return subscription;
  if (subscription.scheduled === null) return refuse("nothing_scheduled");
  const next = nextOf({ ...subscription, scheduled: null });
  return { act: "drop-downgrade", next };
}

/** Within the window all is returned and the plan ends; later it ends with what was paid. */
export function quoteCancel(state: BillingState, now: Instant): Quoted<"withdraw" | "cancel"> {
  const subscription = running(state, now);
  if ("kind" in subscription) return subscription;
  const { contract, price } = subscription;
  if (now < refundEndsAt(subscription, now)) {
    const amount = returnable(state, contract).reduce((sum, one) => sum + one.amount, 0);
    return { act: "withdraw", refund: { amount, currency: price.currency } };
  }
  if (subscription.ending !== null) return refuse("already_cancelled");
  return { act: "cancel", ...endOf(subscription, now) };
}

/** The end of what was paid. Days after it are free, or not paid: without a renewal they end now. */
export function endOf(subscription: Subscription, now: Instant) {
  const today = todayOf(subscription, now);
  const { to } = paidPeriod(subscription);
  if (today >= to) return { endsOn: today, endsAt: now };
  return { endsOn: to, endsAt: startOfDay(to, subscription.zone) };
}

/** What can be returned of the payments of a contract: money that was paid and is not on its way back. */
export function returnable(
  state: BillingState,
  contract: string,
): readonly { readonly charge: string; readonly amount: number }[] {
  return state.charges
    .filter((one) => one.contract === contract && one.status === "succeeded")
    .map((one) => ({ charge: one.charge, amount: remainderOf(state, one) }))
    .filter(({ amount }) => amount > 0);
}

/** What of a payment is still here; nothing while a dispute holds it. */
export function remainderOf({ refunds }: BillingState, charge: Charge): number {
  const { dispute } = charge;
  const isHeld = dispute?.status === "open" || dispute?.status === "lost";
  if (isHeld && !(dispute.status === "open" && dispute.refundable)) return 0;
  const underWay = refunds
    .filter((one) => one.charge === charge.charge && one.status === "intended")
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, charge.terms.total - charge.returned - underWay);
}

/** The cancellation is taken back. */
export function quoteResume(state: BillingState, now: Instant): Quoted<"resume"> {
  const subscription = running(state, now);
  if ("kind" in subscription) return subscription;
  if (subscription.ending === null) return refuse("not_cancelled");
  if (isDisputed(state)) return refuse("account_parked");
  return { act: "resume", next: nextOf({ ...subscription, ending: null }) };
}

/** The next charge: on the day that its reminder announced, or the end of the period. */
export function nextOf(subscription: Subscription) {
  const { amount, currency } = nextPrice(subscription);
  const announced = subscription.evidence.reminder?.announces.on;
  return { on: announced ?? paidPeriod(subscription).to, amount, currency };
}
