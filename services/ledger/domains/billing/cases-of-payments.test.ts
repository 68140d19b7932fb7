import { describe, expect, it } from "vitest";

import { PaymentRefused } from "./payments/port.ts";
import { annual, essential, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

const totals = (account: SimulatedAccount) =>
  account.of("ChargeIntended").map(({ terms }) => terms.total);
const paid = (account: SimulatedAccount) => account.of("PlanRenewed").length;

describe("the provider", () => {
  it("19: the same hint twice, also at once, changes nothing the second time", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    const before = account.events.length;
    await Promise.all([account.lookUp(checkout), account.lookUp(checkout)]);
    expect(account.events).toHaveLength(before);
  });

  it("20: success before the answer to the charge; a failure after success changes nothing", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    account.payments.change(checkout, { status: "failed" });
    await account.lookUp(checkout);
    expect(account.plan).toBe("premium");
  });

  it("21: a payment that is not known here is ignored", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    const before = account.events.length;
    await account.lookUp(account.newId());
    expect(account.events).toHaveLength(before);
  });

  it("22: killed between charge and record: the payment is adopted", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("answer-lost");
    await account.advance(32);
    expect([totals(account), paid(account)]).toEqual([[2000], 1]);
    expect(account.payments.book.payments.size).toBe(2);
  });

  it("23: a key that was used for another amount parks the account", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly, { pays: false });
    const reference = account.state.checkouts[0]?.reference ?? "";
    account.payments.complete(reference);
    account.payments.change(checkout, { amount: { amount: 1, currency: "USD" } });
    await account.lookUp(checkout);
    expect(account.of("AccountParked")).toMatchObject([{ reason: "payment-differs" }]);
    const request = { key: checkout, accountId: "", description: "" };
    const again = account.payments.provider.charge({
      ...request,
      amount: { amount: 5, currency: "USD" },
    });
    await expect(again).rejects.toThrow(PaymentRefused);
  });

  it("24: no answer for two days: looked up first, charged once", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(25);
    account.payments.behave("answer-lost");
    await account.advance(6);
    account.payments.away(true);
    await account.jump(2);
    account.payments.away(false);
    account.payments.behave("succeeds");
    await account.advance(2);
    expect([totals(account), paid(account)]).toEqual([[2000], 1]);
    expect(account.payments.balance()).toBe(account.balance());
  });
});

describe("refunds and disputes", () => {
  it("25: after partial refunds at the provider only the rest is returned", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    account.payments.change(checkout, { refunded: 1500 });
    await account.lookUp(checkout);
    await account.cancel();
    expect(account.of("RefundIntended")).toMatchObject([{ amount: 500 }]);
    account.payments.change(checkout, { refunded: 2500 });
    await account.lookUp(checkout);
    expect(account.of("AccountParked")).toMatchObject([{ reason: "refunded-too-much" }]);
  });

  it("26: where a credit paid a part only money comes back", async () => {
    const account = new SimulatedAccount();
    await account.buy(essential);
    await account.advance(5);
    await account.change(annual);
    const sum = account.payments.balance();
    await account.cancel();
    const returned = account.of("RefundIntended").reduce((all, { amount }) => all + amount, 0);
    expect(returned).toBe(sum);
    expect(account.payments.balance()).toBe(0);
  });

  it("27: a refund that fails later is an open liability until it is released", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.refundsBehave("pending");
    await account.cancel();
    const key = account.of("RefundIntended")[0]?.refund ?? "";
    account.payments.settleRefund(key, "failed");
    await account.advance(1);
    expect(account.state.parked?.reason).toBe("refund-failed");
    account.payments.refundsBehave("succeeded");
    account.issue({ type: "ReleaseAccount" });
    await account.advance(1);
    expect(account.payments.balance()).toBe(0);
    expect(account.balance()).toBe(0);
  });

  it("28: nothing is refunded while a dispute holds the money, and what was owed follows when it is won", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    const dispute = { disputeId: "dp_1", status: "open", refundable: false } as const;
    account.payments.dispute(checkout, dispute);
    await account.lookUp(checkout);
    await account.cancel();
    expect(account.of("RefundIntended")).toEqual([]);
    account.payments.dispute(checkout, { ...dispute, status: "won" });
    await account.lookUp(checkout);
    expect(account.of("RefundIntended")).toMatchObject([{ amount: 2000 }]);
  });

  it("28: what was owed follows also when the dispute becomes an inquiry again", async () => {
    const account = new SimulatedAccount();
    const charge = await account.buy(monthly);
    const dispute = { disputeId: "dp_1", refundable: false };
    account.payments.dispute(charge, { ...dispute, status: "open" });
    await account.lookUp(charge);
    await account.cancel();
    expect(account.of("RefundIntended")).toEqual([]);
    account.payments.dispute(charge, { ...dispute, status: "inquiry" });
    await account.lookUp(charge);
    expect(account.payments.balance()).toBe(0);
  });

  it("28: a dispute after the refund returns nothing twice", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    await account.cancel();
    const dispute = { disputeId: "dp_1", status: "open", refundable: true } as const;
    account.payments.dispute(checkout, dispute);
    await account.lookUp(checkout);
    account.payments.dispute(checkout, { ...dispute, status: "won" });
    await account.lookUp(checkout);
    expect(account.of("RefundIntended")).toHaveLength(1);
  });

  it("29: a dispute won after access ended does not revive it", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    await account.advance(20);
    const dispute = { disputeId: "dp_1", status: "open", refundable: false } as const;
    account.payments.dispute(checkout, dispute);
    await account.lookUp(checkout);
    expect(account.plan).toBe("premium");
    await account.advance(15);
    account.payments.dispute(checkout, { ...dispute, status: "won" });
    await account.lookUp(checkout);
    expect([account.plan, totals(account)]).toEqual(["free", []]);
  });

  it("29: a dispute that is lost ends the plan it paid for", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    account.payments.dispute(checkout, { disputeId: "dp_1", status: "lost", refundable: false });
    await account.lookUp(checkout);
    expect(account.of("SubscriptionEnded")).toMatchObject([{ reason: "dispute" }]);
  });

  it("30: an inquiry moves no money", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly);
    account.payments.dispute(checkout, { disputeId: "dp_1", status: "inquiry", refundable: true });
    await account.lookUp(checkout);
    await account.advance(35);
    expect([account.plan, paid(account)]).toEqual(["premium", 1]);
  });
});

describe("checkout", () => {
  it("35: abandoned, then done in another tab after the page had expired: it counts once", async () => {
    const account = new SimulatedAccount();
    const checkout = await account.buy(monthly, { pays: false });
    const reference = account.state.checkouts[0]?.reference ?? "";
    account.payments.expire(reference);
    await account.advance(2);
    expect([account.state.checkouts[0]?.status, account.plan]).toEqual(["expired", "free"]);
    account.payments.complete(reference);
    await account.lookUp(checkout);
    expect(account.plan).toBe("premium");
  });

  it("35: an earlier attempt is confirmed late, while a later one waits: the period that was paid stays", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("challenges");
    await account.advance(32);
    const [first, later] = account.of("ChargeIntended").map(({ charge }) => charge);
    account.payments.confirm(first ?? "");
    await account.lookUp(first ?? "");
    expect(account.of("PlanRenewed")).toMatchObject([{ charge: first }]);
    expect(account.of("ChargeFailed").at(-1)).toMatchObject({
      charge: later,
      reason: "superseded",
    });
    await account.advance(20);
    expect([account.plan, account.of("GraceStarted").length]).toEqual(["premium", 1]);
    account.payments.confirm(later ?? "");
    await account.lookUp(later ?? "");
    expect(account.payments.balance()).toBe(4000);
  });

  it("35: a renewal that must be confirmed: never confirmed, it counts as failed", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("challenges");
    await account.advance(30.6);
    expect(account.state.charges.at(-1)?.status).toBe("held");
    const key = account.of("ChargeHeld")[0]?.charge ?? "";
    account.payments.behave("declines");
    await account.advance(1.5);
    expect(account.of("ChargeFailed")[0]).toMatchObject({ charge: key, reason: "not-confirmed" });
    account.payments.confirm(key);
    await account.lookUp(key);
    expect(paid(account)).toBe(1);
  });

  it("36: two tabs, two plans, both paid: the second payment is returned", async () => {
    const account = new SimulatedAccount();
    const first = await account.buy(essential, { pays: false });
    const second = await account.buy(monthly, { pays: false });
    await account.pay(second);
    await account.pay(first);
    expect(account.plan).toBe("premium");
    expect(account.of("RefundIntended")).toMatchObject([{ charge: first, reason: "not-needed" }]);
    expect(account.payments.balance()).toBe(2000);
  });

  it("40: an account that is deleted in the period is charged no more; refunds go on", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(20);
    account.issue({ type: "CloseAccount" });
    await account.advance(60);
    expect([account.plan, totals(account)]).toEqual(["free", []]);
  });
});
