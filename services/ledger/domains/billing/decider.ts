import { nextPlace, periodAt } from "@pro-talent/schemas/billing/calendar";
import type { BillingData, BillingEvent, Notice } from "@pro-talent/schemas/billing/events";
import { type PriceBook, priceOn, type TaxRate } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Subscription } from "@pro-talent/schemas/billing/state";
import {
  type Day,
  dayIn,
  dayPlus,
  daysBetween,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import { type AccountDuty, decideAccount } from "./account-duties.decider.ts";
import { type ActRefusalCode, type BillingAct, decideAct, isAct } from "./acts.decider.ts";
import { type ObservedPayment, recordRefund } from "./disputes.decider.ts";
import { isDelivered } from "./notices.decider.ts";
import { dropCharge, endIfDue, intendCharge, recordPayment } from "./payments.decider.ts";
import {
  announcedCharge,
  paidPeriod,
  refusalsMax,
  refusalsOf,
  renewalDays,
  renewalNotices,
  todayOf,
} from "./renewal.decider.ts";
import { evolve, noBilling } from "./state.decider.ts";

/** What the provider, the mail server, the clock or an administrator leads to. */
export type BillingDuty =
  /** The provider has opened it. */
  | {
      readonly type: "AttachCheckout";
      readonly checkout: string;
      readonly reference: string;
      readonly expiresAt: Instant;
    }
  /** What the provider holds of a checkout now. */
  | {
      readonly type: "RecordCheckout";
      readonly checkout: string;
      readonly status: "open" | "completed" | "expired";
      readonly payment: ObservedPayment | null;
    }
  /** The time of a charge has come. */
  | {
      readonly type: "IntendCharge";
      readonly charge: string;
      readonly taxes: readonly TaxRate[];
      /** The account was restricted until then: the days before are not paid. */
      readonly notBefore: Instant | null;
    }
  | {
      readonly type: "RecordPayment";
      readonly charge: string;
      readonly payment: ObservedPayment;
    }
  /** The provider never received it, and it is not wanted any more. */
  | { readonly type: "DropCharge"; readonly charge: string }
  | {
      readonly type: "RecordRefund";
      readonly refund: string;
      readonly status: "pending" | "succeeded" | "failed";
    }
  /** How an attempt at a mail ended. */
  | {
      readonly type: "RecordNotice";
      readonly notice: Notice;
      readonly about: string;
      readonly result: "delivered" | BillingData<"NoticeFailed">["reason"];
      /** Of one that bounced: how often it had been refused or returned before. The last when absent. */
      readonly attempt?: number;
    }
  | { readonly type: "AnnouncePrice"; readonly book: PriceBook }
  /** The time of a subscription is over. */
  | { readonly type: "EndSubscription" }
  | AccountDuty;

export type BillingCommand = BillingAct | BillingDuty;

export type BillingRefusalCode = ActRefusalCode | "checkout_unknown";

type Decision = readonly BillingEvent[] | Refusal<BillingRefusalCode>;

/**
 * The rules of one account's billing. Nothing is charged without a delivered reminder, nor twice for one
 * period; what is paid for nothing is returned. Repetitions change nothing. When what was recorded breaks
 * a rule of its own, the account is parked.
 */
export const billingDecider: Decider<
  BillingState,
  BillingCommand,
  BillingEvent,
  BillingRefusalCode
> = {
  initialState: noBilling,
  evolve,
  decide: (command, state, { now }) => {
    const decision = isAct(command)
      ? decideAct(command, state, now)
      : decideDuty(command, state, now);
    if ("kind" in decision || decision.length === 0) return decision;
    const after = decision.reduce((before, event) => evolve(before, event, now), state);
    const broken = brokenRule(after);
    if (broken === null || after.parked !== null || brokenRule(state) !== null) return decision;
    return [...decision, { type: "AccountParked", data: { reason: broken } }];
  },
};

function decideDuty(command: BillingDuty, state: BillingState, now: Instant): Decision {
  switch (command.type) {
    case "AttachCheckout":
      return attach(command, state);
    case "RecordCheckout":
      return recordCheckout(command, state, now);
    case "IntendCharge":
      return intendCharge(state, command, now);
    case "RecordPayment":
      return recordPayment(state, command.charge, command.payment, now);
    case "DropCharge":
      return dropCharge(state, command.charge);
    case "RecordRefund":
      return recordRefund(state, command.refund, command.status);
    case "RecordNotice":
      return recordNotice(command, state, now);
    case "AnnouncePrice":
      return announcePrice(state, command.book, now);
    case "EndSubscription":
      return endIfDue(state, now);
    default:
      return decideAccount(command, state);
  }
}

function attach(
  { checkout, reference, expiresAt }: BillingCommand & { type: "AttachCheckout" },
  state: BillingState,
): Decision {
  const found = state.checkouts.find((one) => one.checkout === checkout);
  if (found === undefined) return refuse("checkout_unknown");
  if (found.reference !== null) return [];
  return [{ type: "CheckoutAttached", data: { checkout, reference, expiresAt } }];
}

function recordCheckout(
  command: BillingCommand & { type: "RecordCheckout" },
  state: BillingState,
  now: Instant,
): Decision {
  const { checkout, status, payment } = command;
  const found = state.checkouts.find((one) => one.checkout === checkout);
  if (found === undefined) return [];
  const events = payment === null ? [] : recordPayment(state, checkout, payment, now);
  if (events.length > 0 || found.status !== "open") return events;
  if (status === "expired") return [{ type: "CheckoutExpired", data: { checkout } }];
  const isStored = status === "completed" && found.kind === "card";
  return isStored ? [{ type: "CardStored", data: { checkout } }] : [];
}

function recordNotice(
  command: BillingCommand & { type: "RecordNotice" },
  state: BillingState,
  now: Instant,
): Decision {
  const { notice, about, result } = command;
  const { subscription } = state;
  if (result === "bounced" && !cameBack(state, command)) return [];
  if (result !== "delivered") {
    const failed: BillingEvent = { type: "NoticeFailed", data: { notice, about, reason: result } };
    return [failed, ...unreachable(state, command, now)];
  }
  const isOwed = state.owed.some((one) => one.notice === notice && one.about === about);
  const due = renewalNotices(state).find((one) => one.notice === notice && one.about === about);
  if (!isOwed && (due === undefined || (due.until !== null && now >= due.until))) return [];
  const on = subscription === null ? dayIn(now, "UTC") : todayOf(subscription, now);
  const announces =
    notice === "reminder" && subscription !== null ? announcedCharge(subscription, on) : null;
  return [{ type: "NoticeDelivered", data: { notice, about, on, announces } }];
}

/** A report counts once, and for the attempt that is the evidence: earlier ones have failed already. */
function cameBack(
  state: BillingState,
  { notice, about, attempt }: BillingCommand & { type: "RecordNotice" },
): boolean {
  const refusals = refusalsOf(state, notice, about);
  return isDelivered(state, { notice, about }) && (attempt ?? refusals) === refusals;
}

/**
 * A holder whose mailbox is gone would have the plan for free: after many days the plan ends, but not before
 * the days are over that were paid for.
 */
function unreachable(
  state: BillingState,
  { notice, about, result }: BillingCommand & { type: "RecordNotice" },
  now: Instant,
): readonly BillingEvent[] {
  const isRefused = result === "refused" || result === "bounced";
  const isRenewal = notice === "reminder" || notice === "annual-first";
  const { subscription } = state;
  if (!isRefused || !isRenewal || subscription === null) return [];
  if (now < startOfDay(paidPeriod(subscription).to, subscription.zone)) return [];
  if (refusalsOf(state, notice, about) + 1 < refusalsMax) return [];
  return [{ type: "SubscriptionEnded", data: { reason: "unreachable" } }];
}

/**
 * Announces a price of the book that differs from the agreed one, for the first renewal from the day on
 * which it takes effect: at least 31 days ahead if it is higher, so that both notices can be delivered.
 */
function announcePrice(state: BillingState, book: PriceBook, now: Instant): Decision {
  const { subscription } = state;
  if (subscription?.announced !== null) return [];
  const { ending, scheduled, dunning, price } = subscription;
  if (ending !== null || scheduled !== null || dunning !== null || state.parked !== null) return [];
  const effective = renewalsAhead(subscription, now).find((renewal) => {
    const later = priceOn(book, price.plan, price.cycle, renewal);
    if (later.amount === price.amount || later.currency !== price.currency) return false;
    const days = daysBetween(todayOf(subscription, now), renewal);
    return later.amount < price.amount || days > renewalDays.priceFirst;
  });
  if (effective === undefined) return [];
  const later = priceOn(book, price.plan, price.cycle, effective);
  return [{ type: "PriceAnnounced", data: { price: later, effective } }];
}

/** The next renewals, as far as they are at most 75 days ahead. */
function renewalsAhead(subscription: Subscription, now: Instant): readonly Day[] {
  const today = todayOf(subscription, now);
  const last = dayPlus(today, 75);
  const renewals: Day[] = [];
  let place = subscription.place;
  for (let to = paidPeriod(subscription).to; to <= last; to = periodAt(place).to) {
    if (to > today) renewals.push(to);
    place = nextPlace(place);
  }
  return renewals;
}

/** A rule that holds whatever happens, and does not. */
function brokenRule(state: BillingState): BillingData<"AccountParked">["reason"] | null {
  const { charges } = state;
  if (charges.some(({ returned, terms }) => returned > terms.total)) return "refunded-too-much";
  const periods = charges
    .filter((one) => one.status === "succeeded" && !one.owedBack && one.purpose !== "upgrade")
    .map(({ contract, cover }) => `${contract} ${cover.from}`);
  if (new Set(periods).size < periods.length) return "paid-twice";
  const open = charges.filter(({ status }) => status === "open" || status === "held");
  return open.length > 1 ? "paid-twice" : null;
}
