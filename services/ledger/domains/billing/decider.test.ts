import { priceBook } from "@pro-talent/schemas/billing/prices";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { describe, it } from "vitest";

import { specification } from "../../kernel/testing/given.ts";
import { type BillingCommand, billingDecider } from "./decider.ts";
import type { ObservedPayment } from "./disputes.decider.ts";
import { quoteCancel, quoteStart } from "./quotes.decider.ts";
import { noBilling } from "./state.decider.ts";
import {
  cancelled,
  bounced,
  contract,
  disputed,
  event,
  intended,
  nextCover,
  nextPlace,
  opened,
  paid,
  parked,
  price,
  reminded,
  renewal,
  started,
  subscribed,
  zone,
} from "./testing/billing-history.ts";

const givenOn = (time: string) => specification(billingDecider, Instant.parse(time));

const payment = (difference: Partial<ObservedPayment>): ObservedPayment => ({
  paymentId: "pay_2",
  amount: { amount: 2000, currency: "USD" },
  status: "succeeded",
  failure: null,
  refunded: 0,
  dispute: null,
  ...difference,
});
const charge: BillingCommand = {
  type: "IntendCharge",
  charge: renewal,
  taxes: [],
  notBefore: null,
};
const remind = (result: "delivered" | "refused"): BillingCommand => ({
  type: "RecordNotice",
  notice: "reminder",
  about: "2026-04-01",
  result,
});

const inWindow = "2026-03-10T09:00:00.000Z";
const afterWindow = "2026-03-25T09:00:00.000Z";
const renewalDay = "2026-04-01T09:00:00.000Z";

describe("buying", () => {
  const now = Instant.parse("2026-03-01T09:00:00.000Z");
  const choice = { plan: "premium", cycle: "monthly" } as const;
  const terms = { book: priceBook, taxes: [] };
  const quote = quoteStart(noBilling, choice, terms, { now, zone });
  if ("kind" in quote) throw new Error(quote.code);
  const consent = {
    document: "terms",
    version: "1",
    language: "he",
    textHash: "0".repeat(64),
  } as const;
  const open = { type: "OpenCheckout", checkout: contract, choice, quote, terms } as const;

  it("records each consent as proof before the checkout", () =>
    givenOn(now)([])
      .when({ ...open, consents: [consent] })
      .then([event("ConsentGiven", { ...consent, checkout: contract }), opened]));

  it("is refused at another price than was shown", () =>
    givenOn(now)([])
      .when({ ...open, consents: [], quote: { ...quote, price: { ...quote.price, amount: 1 } } })
      .thenRefuses("quote_changed"));

  it("is refused while a subscription runs", () =>
    givenOn(now)(subscribed)
      .when({ ...open, consents: [] })
      .thenRefuses("subscription_exists"));

  it("begins the subscription when the payment has succeeded, once", () => {
    const succeeded = payment({ paymentId: "pay_1" });
    const record = {
      type: "RecordCheckout",
      checkout: contract,
      status: "completed",
      payment: succeeded,
    } as const;
    givenOn(now)([opened]).when(record).then([paid, started]);
    givenOn(now)(subscribed).when(record).thenNothingChanges();
  });

  it("begins nothing when the page expires unpaid", () =>
    givenOn(now)([opened])
      .when({ type: "RecordCheckout", checkout: contract, status: "expired", payment: null })
      .then([event("CheckoutExpired", { checkout: contract })]));

  it("parks the account when another amount was paid than agreed", () =>
    givenOn(now)([opened])
      .when({
        type: "RecordPayment",
        charge: contract,
        payment: payment({ amount: { amount: 1999, currency: "USD" } }),
      })
      .then([event("AccountParked", { reason: "payment-differs" })]));

  it("is allowed once to invited accounts", () => {
    givenOn(now)([])
      .when({ type: "AllowBuying" })
      .then([event("BuyingAllowed", {})]);
    givenOn(now)([event("BuyingAllowed", {})])
      .when({ type: "AllowBuying" })
      .thenNothingChanges();
  });
});

describe("renewing", () => {
  it("is announced by the delivered reminder: at the end of the period, for the agreed price", () =>
    givenOn(afterWindow)(subscribed).when(remind("delivered")).then([reminded]));

  it("moves to seven days after a late reminder", () =>
    givenOn("2026-03-30T09:00:00.000Z")(subscribed)
      .when(remind("delivered"))
      .then([
        event("NoticeDelivered", {
          notice: "reminder",
          about: "2026-04-01",
          on: "2026-03-30",
          announces: { on: "2026-04-06", amount: 2000 },
        }),
      ]));

  it("records a reminder once", () =>
    givenOn(afterWindow)([...subscribed, reminded])
      .when(remind("delivered"))
      .thenNothingChanges());

  it("charges on the announced day", () =>
    givenOn(renewalDay)([...subscribed, reminded])
      .when(charge)
      .then([intended]));

  it.each([
    ["before the announced day", afterWindow, [...subscribed, reminded]],
    ["without a reminder", renewalDay, subscribed],
    ["after the reminder came back", renewalDay, [...subscribed, reminded, bounced]],
    ["while another payment is open", renewalDay, [...subscribed, reminded, intended]],
    ["after cancellation", renewalDay, [...subscribed, reminded, cancelled]],
    ["while a payment is disputed", renewalDay, [...subscribed, reminded, disputed]],
    ["while the account is parked", renewalDay, [...subscribed, reminded, parked]],
  ])("charges nothing %s", (_when, time, events) =>
    givenOn(time)(events).when(charge).thenNothingChanges(),
  );

  it("lets evidence lapse when the announced period is over", () =>
    givenOn("2026-05-02T09:00:00.000Z")([...subscribed, reminded])
      .when(charge)
      .then([event("RenewalLapsed", { renewal: "2026-04-01" })]));

  it("begins the next period when the payment has succeeded", () =>
    givenOn(renewalDay)([...subscribed, reminded, intended])
      .when({ type: "RecordPayment", charge: renewal, payment: payment({}) })
      .then([
        event("ChargeSucceeded", { charge: renewal, payment: "pay_2" }),
        event("PlanRenewed", { charge: renewal, price, place: nextPlace, cover: nextCover }),
      ]));

  it("leaves fourteen days of access when the payment fails", () =>
    givenOn(renewalDay)([...subscribed, reminded, intended])
      .when({
        type: "RecordPayment",
        charge: renewal,
        payment: payment({ status: "failed", failure: { reason: "declined", hard: false } }),
      })
      .then([
        event("GraceStarted", { failedOn: "2026-04-01", endsAt: "2026-04-14T21:00:00.000Z" }),
        event("ChargeFailed", { charge: renewal, reason: "declined", hard: false }),
      ]));

  it("ends the plan at the thirtieth refusal of the reminder", () => {
    const refused = event("NoticeFailed", {
      notice: "reminder",
      about: "2026-04-01",
      reason: "refused",
    });
    const refusals = (count: number) => Array.from({ length: count }, () => refused);
    givenOn(renewalDay)([...subscribed, ...refusals(28)])
      .when(remind("refused"))
      .then([refused]);
    givenOn(renewalDay)([...subscribed, ...refusals(29)])
      .when(remind("refused"))
      .then([refused, event("SubscriptionEnded", { reason: "unreachable" })]);
  });
});

describe("cancelling", () => {
  const cancelOn = (time: string): BillingCommand => {
    const state = subscribed.reduce(
      (before, one) => billingDecider.evolve(before, one, Instant.parse(time)),
      billingDecider.initialState,
    );
    const quote = quoteCancel(state, Instant.parse(time));
    if ("kind" in quote) throw new Error(quote.code);
    return { type: "Cancel", quote };
  };

  it("within the window returns all and ends the plan", () =>
    givenOn(inWindow)(subscribed)
      .when(cancelOn(inWindow))
      .then([
        event("WithdrawalConfirmed", { contract, amount: 2000 }),
        event("SubscriptionEnded", { reason: "withdrawal" }),
        event("RefundIntended", {
          refund: `${contract}.1`,
          charge: contract,
          amount: 2000,
          reason: "withdrawal",
        }),
      ]));

  it("later ends the plan with the paid period and returns nothing", () =>
    givenOn(afterWindow)(subscribed).when(cancelOn(afterWindow)).then([cancelled]));

  it("is refused when the window closed after the refund was shown", () =>
    givenOn(afterWindow)(subscribed).when(cancelOn(inWindow)).thenRefuses("quote_changed"));

  it("is refused the second time", () =>
    givenOn(afterWindow)([...subscribed, cancelled])
      .when(cancelOn(afterWindow))
      .thenRefuses("already_cancelled"));

  it("ends access when the period is over, not before", () => {
    const events = [...subscribed, cancelled];
    givenOn(afterWindow)(events).when({ type: "EndSubscription" }).thenNothingChanges();
    givenOn(renewalDay)(events)
      .when({ type: "EndSubscription" })
      .then([event("SubscriptionEnded", { reason: "cancelled" })]);
  });
});

describe("the account", () => {
  it("ends its plan when it is closed, once", () => {
    const closed = event("AccountClosed", {});
    const ended = event("SubscriptionEnded", { reason: "account-closed" });
    givenOn(afterWindow)(subscribed).when({ type: "CloseAccount" }).then([ended, closed]);
    givenOn(afterWindow)([...subscribed, ended, closed])
      .when({ type: "CloseAccount" })
      .thenNothingChanges();
  });

  it("is released by an administrator only when it was parked", () => {
    givenOn(afterWindow)(subscribed).when({ type: "ReleaseAccount" }).thenNothingChanges();
    givenOn(afterWindow)([...subscribed, parked])
      .when({ type: "ReleaseAccount" })
      .then([event("AccountReleased", {})]);
  });
});
