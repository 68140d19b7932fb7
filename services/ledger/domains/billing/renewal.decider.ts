import {
  lastWithdrawalDay,
  nextPlace,
  type Period,
  periodAt,
  type PeriodPlace,
} from "@pro-talent/schemas/billing/calendar";
import type { Cover, Notice } from "@pro-talent/schemas/billing/events";
import type { Price } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Charge, Subscription } from "@pro-talent/schemas/billing/state";
import {
  type Day,
  dayIn,
  dayPlus,
  dayPlusMonths,
  daysBetween,
  latestDay,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

/** When mails and charges of a renewal are due, in days before it. */
export const renewalDays = {
  /** The reminder is sent two days before it must have been delivered, so that it can come back. */
  remind: 9,
  reminded: 7,
  annualFirst: 45,
  /** An annual plan is not renewed earlier than so many days after its first notice (CPL 13A). */
  annualNoticed: 30,
  annualSecond: 21,
  priceFirst: 30,
  priceSecondFrom: 20,
  priceSecondTo: 10,
} as const;
/** Days after the first failure on which a payment is tried again. */
export const retryDays = [1, 3, 7, 12] as const;
/** Access that a failed payment leaves. */
export const graceDays = 14;
/** A mailbox that refused the reminder so often, once a day, does not exist: the plan ends. */
export const refusalsMax = 30;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const mailWaitsMs = [hourMs / 4, hourMs, 4 * hourMs] as const;

/** The days that are paid for. */
export const paidPeriod = ({ place }: Subscription): Period => periodAt(place);

/** What the next period costs: the plan that was chosen for it, or else an announced price. */
export function nextPrice(subscription: Subscription): Price {
  const { scheduled, announced, price } = subscription;
  if (scheduled !== null) return scheduled.price;
  const isDue = announced !== null && paidPeriod(subscription).to >= announced.effective;
  return isDue && isNoticed(price, announced) ? announced.price : price;
}

/**
 * A higher price counts only when both notices were delivered in time: 30 days or more before the renewal,
 * and 20 to 10 days before. A lower one needs none.
 */
function isNoticed(price: Price, announced: NonNullable<Subscription["announced"]>): boolean {
  const { effective, first, second } = announced;
  if (announced.price.amount <= price.amount) return true;
  if (first === null || second === null) return false;
  const [firstDays, secondDays] = [daysBetween(first, effective), daysBetween(second, effective)];
  return (
    firstDays >= renewalDays.priceFirst &&
    secondDays <= renewalDays.priceSecondFrom &&
    secondDays >= renewalDays.priceSecondTo
  );
}

/** A reminder counts for the amount that it announced, and for less. */
function reminderOf(subscription: Subscription) {
  const { reminder } = subscription.evidence;
  const counts = reminder !== null && reminder.announces.amount >= nextPrice(subscription).amount;
  return counts ? reminder : null;
}

/** Renewals of an annual plan need an earlier notice as well. */
const needsFirst = ({ place }: Subscription): boolean => place.cycle === "annual";

/** The earliest day of the next charge if a reminder is delivered on this day. */
function chargeDayAfter(subscription: Subscription, delivered: Day): Day {
  const { first } = subscription.evidence;
  const noticed =
    needsFirst(subscription) && first !== null ? [dayPlus(first, renewalDays.annualNoticed)] : [];
  return latestDay(
    paidPeriod(subscription).to,
    dayPlus(delivered, renewalDays.reminded),
    ...noticed,
  );
}

/** The charge that a reminder announces which is delivered on this day. */
export function announcedCharge(subscription: Subscription, delivered: Day) {
  return {
    on: chargeDayAfter(subscription, delivered),
    amount: nextPrice(subscription).amount,
  };
}

/**
 * The day of the next charge: the end of the period, or seven days after the reminder was delivered if that
 * is later (the days between are free). Null while there is no evidence of a reminder: nothing is charged.
 */
export function chargeDay(subscription: Subscription): Day | null {
  return reminderOf(subscription)?.announces.on ?? null;
}

/** The period that a charge on this day pays: the next one, or one with a new anchor after free days. */
export function placeFrom(subscription: Subscription, day: Day): PeriodPlace {
  const { cycle } = nextPrice(subscription);
  if (day === paidPeriod(subscription).to) return nextPlace(subscription.place, cycle);
  return { anchor: day, months: 0, cycle };
}

export function coverOf(place: PeriodPlace, amount: number): Cover {
  return { amount, ...periodAt(place) };
}

/** A charge whose end is not known yet; there is at most one, beside hosted ones. */
export function openCharge({ charges }: BillingState): Charge | undefined {
  return charges.findLast(({ status }) => status === "open" || status === "held");
}

/** The renewal that was tried last and is not paid. */
export function failedRenewal(state: BillingState): Charge | undefined {
  return state.charges.findLast(
    ({ purpose, status }) => purpose === "renewal" && status === "failed",
  );
}

/** Whether money of the contract is disputed now: nothing more is charged meanwhile. */
export const isDisputed = ({ charges, subscription }: BillingState): boolean =>
  charges.some(
    ({ dispute, contract }) => dispute?.status === "open" && contract === subscription?.contract,
  );

/** The day of the next attempt at an unpaid renewal; null when there is none. */
function retryDay({ dunning }: Subscription): Day | null {
  if (dunning === null) return null;
  if (dunning.newCard) return dunning.failedOn;
  const days = retryDays[dunning.attempts - 1];
  return dunning.hard || days === undefined ? null : dayPlus(dunning.failedOn, days);
}

/** When the subscription's next charge is due; null when none is. Retries need the reminder as well. */
export function chargeDueAt(state: BillingState): Instant | null {
  const { subscription } = state;
  if (subscription?.ending !== null || state.parked !== null) return null;
  if (openCharge(state) !== undefined || isDisputed(state)) return null;
  const { dunning, evidence } = subscription;
  const retry = evidence.reminder === null ? null : retryDay(subscription);
  const day = dunning === null ? chargeDay(subscription) : retry;
  return day === null ? null : startOfDay(day, subscription.zone);
}

/** When access ends as things are now; null while no end is set. */
export function accessEndsAt({ subscription }: BillingState): Instant | null {
  return subscription?.ending?.endsAt ?? subscription?.dunning?.endsAt ?? null;
}

/** Months after which a confirmation that was never delivered extends the window no further. */
const unconfirmedMonths = 12;

/**
 * Until when withdrawing returns everything. The window is counted from the later of the contract and the
 * delivery of its confirmation (Consumer Protection Law 14C); until that is delivered, as if it were today,
 * for twelve months at most (Directive 2011/83/EU, article 10).
 */
export function refundEndsAt(subscription: Subscription, now: Instant): Instant {
  const { refundUntil, confirmedOn, startedOn, zone } = subscription;
  const counted = confirmedOn ?? todayOf(subscription, now);
  if (counted <= startedOn) return refundUntil;
  const latest = dayPlusMonths(lastWithdrawalDay(startedOn), unconfirmedMonths);
  const last = lastWithdrawalDay(counted);
  const until = startOfDay(dayPlus(last < latest ? last : latest, 1), zone);
  return until > refundUntil ? until : refundUntil;
}

/** The plan that the account may use at an instant. Follows from the time, not from a timer. */
export function planAt(state: BillingState, now: Instant): Price["plan"] | "free" {
  const endsAt = accessEndsAt(state);
  if (state.subscription === null || (endsAt !== null && now >= endsAt)) return "free";
  return state.subscription.price.plan;
}

/** A mail that is due, and what it is about. */
export type DueNotice = {
  readonly notice: Notice;
  readonly about: string;
  readonly dueAt: Instant;
  /** After that it would no longer count, and is not sent. */
  readonly until: Instant | null;
};

/** The mails of the next renewal that are still missing. */
export function renewalNotices(state: BillingState): readonly DueNotice[] {
  const { subscription } = state;
  if (subscription?.ending !== null || subscription.dunning !== null) return [];
  if (state.parked !== null || isDisputed(state)) return [];
  const reminders = needsFirst(subscription)
    ? annualNotices(subscription)
    : monthlyNotices(subscription);
  const { to } = paidPeriod(subscription);
  const due = reminders.map(({ notice, from, until }) => ({
    notice,
    about: to,
    dueAt: waited(state, { notice, about: to }, startOfDay(from, subscription.zone)),
    until: until === null ? null : startOfDay(until, subscription.zone),
  }));
  return [...due, ...priceNotices(state, subscription)];
}

type DayNotice = { readonly notice: Notice; readonly from: Day; readonly until: Day | null };

function monthlyNotices(subscription: Subscription): readonly DayNotice[] {
  if (reminderOf(subscription) !== null) return [];
  const from = dayPlus(paidPeriod(subscription).to, -renewalDays.remind);
  return [{ notice: "reminder", from, until: null }];
}

/** The second notice is a courtesy: without it the plan is renewed all the same. */
function annualNotices(subscription: Subscription): readonly DayNotice[] {
  const { to } = paidPeriod(subscription);
  const { first, second } = subscription.evidence;
  if (first === null) {
    return [{ notice: "annual-first", from: dayPlus(to, -renewalDays.annualFirst), until: null }];
  }
  if (reminderOf(subscription) !== null) return [];
  const renewal = latestDay(to, dayPlus(first, renewalDays.annualNoticed));
  const remindOn = dayPlus(renewal, -renewalDays.remind);
  const secondOn = dayPlus(to, -renewalDays.annualSecond);
  return [
    ...(second === null
      ? [{ notice: "annual-second", from: secondOn, until: remindOn } as const]
      : []),
    { notice: "reminder", from: remindOn, until: null },
  ];
}

function priceNotices(state: BillingState, subscription: Subscription): readonly DueNotice[] {
  const { announced, price, scheduled, zone } = subscription;
  if (announced === null || scheduled !== null) return [];
  if (announced.price.amount <= price.amount) return [];
  const { effective, first, second } = announced;
  const isFirst = first === null;
  if (!isFirst && second !== null) return [];
  const notice = isFirst ? "price-first" : "price-second";
  const from = isFirst ? announced.on : dayPlus(effective, -renewalDays.priceSecondFrom);
  const last = isFirst ? renewalDays.priceFirst : renewalDays.priceSecondTo;
  return [
    {
      notice,
      about: effective,
      dueAt: waited(state, { notice, about: effective }, startOfDay(from, zone)),
      until: startOfDay(dayPlus(effective, 1 - last), zone),
    },
  ];
}

/** The mail that has been owed longest; the others follow it. */
export function owedNotice(state: BillingState): DueNotice | undefined {
  const [first] = state.owed;
  return first && { ...first, dueAt: waited(state, first, first.at), until: null };
}

/** A mail that failed is tried again after 15 minutes, one hour, four hours, then daily. */
function waited(
  { mailFailures }: BillingState,
  mail: { readonly notice: Notice; readonly about: string },
  dueAt: Instant,
): Instant {
  const failure = mailFailures.find(
    ({ notice, about }) => notice === mail.notice && about === mail.about,
  );
  if (failure === undefined) return dueAt;
  const wait = failure.refused > 0 ? dayMs : (mailWaitsMs[failure.count - 1] ?? dayMs);
  const again = instantPlus(failure.at, wait);
  return again > dueAt ? again : dueAt;
}

/** How often a mail's mailbox was refused. */
export function refusalsOf(state: BillingState, notice: Notice, about: string): number {
  const found = state.mailFailures.find((one) => one.notice === notice && one.about === about);
  return found?.refused ?? 0;
}

/** The calendar day of the contract at an instant. */
export const todayOf = ({ zone }: Subscription, now: Instant): Day => dayIn(now, zone);
