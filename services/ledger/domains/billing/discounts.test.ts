import { priceBook, type TaxRate } from "@pro-talent/schemas/billing/prices";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { specification } from "../../kernel/testing/given.ts";
import { type BillingCommand, billingDecider } from "./decider.ts";
import { quoteChange, quoteStart } from "./quotes.decider.ts";
import { noBilling } from "./state.decider.ts";
import {
  begun,
  contract,
  event,
  granted,
  invitationId,
  opened,
  paid,
  reduced,
  reducedPage,
  started,
  zone,
} from "./testing/billing-history.ts";
import { annual, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

const now = Instant.parse("2026-03-01T09:00:00.000Z");
const given = specification(billingDecider, now);
const grants: BillingCommand = { type: "GrantDiscount", percent: 20, invitationId };
const vat: TaxRate = { name: "VAT", basisPoints: 1800, country: "IL" };
const terms = { book: priceBook, taxes: [] };

const settles = (checkout: string, amount = 1600): BillingCommand => ({
  type: "RecordCheckout",
  checkout,
  status: "completed",
  payment: {
    paymentId: "pay_1",
    amount: { amount, currency: "USD" },
    status: "succeeded",
    failure: null,
    refunded: 0,
    dispute: null,
  },
});

const stateAfter = (...events: readonly ReturnType<typeof event>[]): BillingState =>
  events.reduce((state, one) => billingDecider.evolve(state, one, now), noBilling);
function startTerms(state: BillingState, taxes: readonly TaxRate[] = []) {
  const quote = quoteStart(state, monthly, { book: priceBook, taxes }, { now, zone });
  if ("kind" in quote) throw new Error(quote.code);
  return quote;
}

describe("a discount", () => {
  it("is granted once to an account, however many invitations promise one", () => {
    given([]).when(grants).then([granted]);
    given([granted]).when(grants).thenNothingChanges();
    given([granted])
      .when({ ...grants, percent: 50, invitationId: contract })
      .thenNothingChanges();
    given([event("AccountClosed", {})])
      .when(grants)
      .thenNothingChanges();
  });

  it("reduces the first payment, whose quote states the full price of later ones", () => {
    const quote = startTerms(stateAfter(granted));
    expect(quote.terms).toEqual(reduced);
    expect(quote.next).toEqual({ on: "2026-04-01", amount: 2000, currency: "USD" });
    given([granted])
      .when({
        type: "OpenCheckout",
        checkout: contract,
        choice: monthly,
        quote,
        terms,
        consents: [],
      })
      .then([reducedPage(contract)]);
  });

  it("leaves taxes on the reduced total alone", () => {
    expect(startTerms(stateAfter(granted), [vat]).terms).toMatchObject({
      total: 1600,
      taxes: [{ name: "VAT", amount: 244 }],
    });
  });

  it("must be in what was shown: a quote from before it is refused", () => {
    const quote = startTerms(noBilling);
    given([granted])
      .when({
        type: "OpenCheckout",
        checkout: contract,
        choice: monthly,
        quote,
        terms,
        consents: [],
      })
      .thenRefuses("quote_changed");
  });

  it("is used up by the payment that it reduced, and not given back by a refund", () => {
    given([granted, reducedPage(contract)])
      .when(settles(contract))
      .then([paid, begun]);
    const withdrawn = [
      event("WithdrawalConfirmed", { contract, amount: 1600 }),
      event("SubscriptionEnded", { reason: "withdrawal" }),
    ];
    const state = stateAfter(granted, reducedPage(contract), paid, begun, ...withdrawn);
    expect(startTerms(state).terms.total).toBe(2000);
    given([granted, reducedPage(contract), paid, begun, ...withdrawn])
      .when(grants)
      .thenNothingChanges();
  });

  it("stays when the page expires unpaid, or at the full price another was paid", () => {
    const expired = event("CheckoutExpired", { checkout: contract });
    expect(startTerms(stateAfter(granted, reducedPage(contract), expired)).terms.total).toBe(1600);
    const ended = event("SubscriptionEnded", { reason: "cancelled" });
    expect(startTerms(stateAfter(opened, granted, paid, started, ended)).terms.total).toBe(1600);
  });

  it("is given once although two pages with it were opened and paid", () => {
    const other = "00000000-0000-4000-8000-000000000003";
    const ended = event("SubscriptionEnded", { reason: "cancelled" });
    given([granted, reducedPage(contract), reducedPage(other), paid, begun, ended])
      .when(settles(other))
      .then([
        event("ChargeSucceeded", { charge: other, payment: "pay_1" }),
        event("RefundIntended", {
          refund: `${other}.1`,
          charge: other,
          amount: 1600,
          reason: "not-needed",
        }),
      ]);
  });
});

describe("a subscription that began with a discount", () => {
  async function begin(choice = monthly as typeof monthly | typeof annual) {
    const account = new SimulatedAccount();
    account.issue(grants);
    await account.buy(choice);
    return account;
  }

  it("returns what was paid within the refund window, and no more", async () => {
    const account = await begin();
    await account.advance(3);
    expect(await account.cancel()).toBeNull();
    await account.advance(1);
    expect(account.of("WithdrawalConfirmed")).toMatchObject([{ amount: 1600 }]);
    expect(account.of("RefundIntended")).toMatchObject([{ amount: 1600 }]);
    expect([account.balance(), account.payments.balance()]).toEqual([0, 0]);
  });

  it("names the full price in the reminder, and renews at it", async () => {
    const account = await begin();
    await account.advance(33);
    expect(account.of("NoticeDelivered").find(({ notice }) => notice === "reminder")).toMatchObject(
      { announces: { on: "2026-04-01", amount: 2000 } },
    );
    expect(account.of("ChargeIntended").map(({ terms: { lines, total } }) => [lines.length, total]))
      // One line: the plan.
      .toEqual([[1, 2000]]);
    const [order] = account.mails;
    expect(order?.text).toContain("Launch discount, 20%: -$4.00");
    expect(order?.text).toContain("April 1, 2026: $20.00");
  });

  it("credits what was paid when the plan changes, and takes nothing off the difference", async () => {
    const account = await begin();
    await account.advance(10);
    const quote = quoteChange(account.state, annual, terms, account.now);
    if ("kind" in quote || quote.act !== "upgrade") throw new Error("No upgrade");
    // 21 of 31 days are left of 1600.
    expect(quote.terms.lines).toMatchObject([
      { kind: "plan", amount: 18_000 },
      { kind: "credit", amount: -1084 },
    ]);
  });
});
