import { discountIn, discountOn } from "@pro-talent/schemas/billing/prices";
import { dayIn, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";

import { quoteCancel } from "../quotes.decider.ts";
import { wrongAccess } from "./access-rules.ts";
import type { SimulatedAccount } from "./simulated-account.ts";

/** What must hold at every moment. @param before events that were checked before */
export function brokenRules(account: SimulatedAccount, before: number): readonly string[] {
  return [
    ...(account.events.length > before ? paidTwice(account) : []),
    ...chargedWithoutReminder(account, before),
    ...returnedTooMuch(account),
    ...discountedTwice(account, before),
    ...wrongAccess(account),
    ...windowTooShort(account),
  ];
}

function paidTwice({ state }: SimulatedAccount): readonly string[] {
  const kept = state.charges.filter(
    ({ status, owedBack, purpose }) => status === "succeeded" && !owedBack && purpose !== "upgrade",
  );
  const periods = kept.map(({ contract, cover }) => `${contract} ${cover.from}`);
  return new Set(periods).size < periods.length ? ["a period was paid twice"] : [];
}

/** Before each renewal a reminder of at least its amount was accepted, seven days or more ahead. */
function chargedWithoutReminder(account: SimulatedAccount, before: number): readonly string[] {
  const renewals = account
    .of("ChargeIntended", before)
    .filter(({ purpose }) => purpose === "renewal");
  if (renewals.length === 0) return [];
  const reminders = account
    .of("NoticeDelivered")
    .flatMap(({ notice, about, on, announces, position }) =>
      notice === "reminder" && announces !== null ? [{ about, on, announces, position }] : [],
    );
  const returned = account
    .of("NoticeFailed")
    .filter(({ notice, reason }) => notice === "reminder" && reason === "bounced");
  return renewals.flatMap(({ cover, terms, position }) => {
    const isReminded = reminders.some(
      (one) =>
        one.position < position &&
        one.announces.on === cover.from &&
        one.announces.amount >= terms.total &&
        dayPlus(one.on, 7) <= cover.from &&
        !returned.some(
          (other) =>
            other.about === one.about && one.position < other.position && other.position < position,
        ),
    );
    return isReminded ? [] : [`the renewal of ${cover.from} had no reminder`];
  });
}

function returnedTooMuch({ state, payments }: SimulatedAccount): readonly string[] {
  const here = state.charges.some(({ returned, terms }) => returned > terms.total);
  const there = [...payments.book.payments.values()].some(
    ({ refunded, amount }) => refunded > amount.amount,
  );
  return here || there ? ["more was returned than paid"] : [];
}

/** One discount for an account, off one payment that begins a subscription, as it was granted. */
function discountedTwice(account: SimulatedAccount, before: number): readonly string[] {
  if (account.events.length === before) return [];
  const { charges } = account.state;
  const reduced = charges.filter(({ terms }) => discountIn(terms) !== undefined);
  const contracts = new Set(account.of("SubscriptionStarted").map(({ contract }) => contract));
  const grants = account.of("DiscountGranted");
  const used = reduced.filter(({ charge }) => contracts.has(charge));
  const wrong = reduced.filter(
    ({ purpose, price, terms }) =>
      purpose !== "start" ||
      discountIn(terms)?.percent !== grants[0]?.percent ||
      terms.total !== price.amount - discountOn(price.amount, grants[0]?.percent ?? 0),
  );
  return [
    ...(grants.length > 1 ? ["a discount was granted twice"] : []),
    ...(used.length > 1 ? ["a discount was used twice"] : []),
    ...(wrong.length > 0 ? ["a discount is not what was granted"] : []),
  ];
}

/** Everything is returned for 14 days or more from the later of contract and delivered confirmation. */
function windowTooShort({ events, state, now, plan }: SimulatedAccount): readonly string[] {
  const { subscription } = state;
  if (subscription === null || plan === "free") return [];
  const { contract, zone, startedOn } = subscription;
  const last = events.findLast(
    ({ event: { type, data } }) =>
      (type === "NoticeDelivered" || (type === "NoticeFailed" && data.reason === "bounced")) &&
      data.notice === "order" &&
      data.about === contract,
  );
  const isConfirmed = last?.event.type === "NoticeDelivered";
  const from = isConfirmed ? dayIn(last.at, zone) : dayIn(now, zone);
  const counted = from < dayPlus(startedOn, 365) ? from : startedOn;
  const isOpen = now < startOfDay(dayPlus(counted, 15), zone);
  const { act } = { act: null, ...quoteCancel(state, now) };
  return isOpen && act !== "withdraw" ? ["the refund window is shorter than 14 days"] : [];
}

/** Both books are the same once nothing is under way; what led to nothing was returned. */
export function brokenAtTheEnd(account: SimulatedAccount): readonly string[] {
  const { state, payments } = account;
  const differs = account.balance() !== payments.balance();
  const held = state.charges.filter(
    ({ owedBack, status, dispute }) =>
      owedBack &&
      status === "succeeded" &&
      dispute?.status !== "open" &&
      dispute?.status !== "lost",
  );
  const kept = held.filter(({ returned, terms }) => returned < terms.total);
  return [
    ...brokenRules(account, 0),
    ...(differs ? [`the ledger has ${account.balance()}, the provider ${payments.balance()}`] : []),
    ...(kept.length > 0 && state.parked === null ? ["money that is owed back was kept"] : []),
  ];
}
