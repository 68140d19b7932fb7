import { BillingEvent } from "@pro-talent/schemas/billing/events";

/** One account's history: premium from 1 March 2026, monthly, for 20 USD. */
export const contract = "00000000-0000-4000-8000-000000000001";
export const renewal = "00000000-0000-4000-8000-000000000002";
export const price = {
  plan: "premium",
  cycle: "monthly",
  amount: 2000,
  currency: "USD",
  version: "2026-01",
} as const;
export const place = { anchor: "2026-03-01", months: 0, cycle: "monthly" };
export const nextPlace = { ...place, months: 1 };
export const cover = { amount: 2000, from: "2026-03-01", to: "2026-04-01" };
export const nextCover = { amount: 2000, from: "2026-04-01", to: "2026-05-01" };
const lineOf = (period: typeof cover) => ({
  kind: "plan",
  plan: "premium",
  cycle: "monthly",
  ...period,
});
const termsOf = (period: typeof cover) => ({
  lines: [lineOf(period)],
  total: 2000,
  currency: "USD",
  taxes: [],
});
export const event = (type: string, data: object): BillingEvent =>
  BillingEvent.parse({ type, data });

export const zone = "Asia/Jerusalem";
export const opened = event("CheckoutOpened", {
  checkout: contract,
  price,
  terms: termsOf(cover),
  place,
  cover,
  zone,
});
export const paid = event("ChargeSucceeded", { charge: contract, payment: "pay_1" });
const beginning = { contract, price, place, zone, refundUntil: "2026-03-15T22:00:00.000Z" };
export const started = event("SubscriptionStarted", { ...beginning, cover });
/** The confirmation of the order was delivered on the day of the contract. */
export const confirmed = event("NoticeDelivered", {
  notice: "order",
  about: contract,
  on: "2026-03-01",
  announces: null,
});
export const subscribed = [opened, paid, started, confirmed];
export const reminded = event("NoticeDelivered", {
  notice: "reminder",
  about: "2026-04-01",
  on: "2026-03-25",
  announces: { on: "2026-04-01", amount: 2000 },
});
export const bounced = event("NoticeFailed", {
  notice: "reminder",
  about: "2026-04-01",
  reason: "bounced",
});
export const intended = event("ChargeIntended", {
  charge: renewal,
  purpose: "renewal",
  price,
  place: nextPlace,
  terms: termsOf(nextCover),
  cover: nextCover,
});
export const cancelled = event("CancellationRequested", {
  endsOn: "2026-04-01",
  endsAt: "2026-03-31T21:00:00.000Z",
});
export const parked = event("AccountParked", { reason: "paid-twice" });
export const disputed = event("DisputeOpened", {
  charge: contract,
  dispute: "dp_1",
  kind: "open",
  reason: "fraudulent",
  refundable: false,
});

/** The same with a discount of 20 %. */
export const invitationId = "00000000-0000-4000-8000-000000000009";
export const granted = event("DiscountGranted", { percent: 20, invitationId });
const reducedCover = { ...cover, amount: 1600 };
export const reduced = {
  lines: [lineOf(cover), { ...lineOf(cover), kind: "discount", percent: 20, amount: -400 }],
  total: 1600,
  currency: "USD",
  taxes: [],
};
export const reducedPage = (checkout: string): BillingEvent =>
  event("CheckoutOpened", { checkout, price, terms: reduced, place, cover: reducedCover, zone });
export const begun = event("SubscriptionStarted", { ...beginning, cover: reducedCover });
