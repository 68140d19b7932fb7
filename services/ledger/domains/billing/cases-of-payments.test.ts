import { describe, expect, it } from "vitest";

import { PaymentRefused } from "./payments/port.ts";
import { annual, essential, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

const totals = (account: SimulatedAccount) =>
  account.of("ChargeIntended").map(({ terms }) => terms.total);
const paid = (account: SimulatedAccount) => account.of("PlanRenewed").length;

describe("reminders", () => {
  it("16: a reminder that bounced, or was only queued, charges nothing; the days are free", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.mail = "uncertain";
    await account.advance(45);
    expect([totals(account), account.plan]).toEqual([[], "premium"]);
    account.mail = "accepts";
    await account.advance(9);
    expect(totals(account)).toEqual([2000]);
    const [{ on, announces } = { on: "", announces: null }] = account
      .of("NoticeDelivered")
      .filter(({ notice }) => notice === "reminder");
    expect([on, announces?.on]).toEqual(["2026-04-16", "2026-04-23"]);
    expect(account.of("PlanRenewed")[0]?.place.anchor).toBe("2026-04-23");
  });

  it("16: a bounce takes the evidence back", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(24);
    const command = { type: "RecordNotice", notice: "reminder", about: "2026-04-01" } as const;
    account.issue({ ...command, result: "bounced" });
    account.mail = "refuses";
    await account.advance(12);
    expect([totals(account), account.plan]).toEqual([[], "premium"]);
  });

  it("a mailbox that refuses the reminder for thirty days ends the plan without a charge", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.mail = "refuses";
    await account.advance(70);
    expect(account.of("SubscriptionEnded")).toMatchObject([{ reason: "unreachable" }]);
    expect(totals(account)).toEqual([]);
  });

  it("an annual plan is not renewed before its first notice was delivered for thirty days", async () => {
    const account = new SimulatedAccount();
    await account.buy(annual);
    await account.advance(300);
    account.mail = "delays";
    await account.advance(60);
    account.mail = "accepts";
    await account.advance(60);
    const first = account.of("NoticeDelivered").find(({ notice }) => notice === "annual-first");
    expect(first?.on).toBe("2027-02-25");
    expect(account.of("PlanRenewed")).toMatchObject([{ cover: { from: "2027-03-27" } }]);
  });

  it("17: a reminder delivered, then twenty days down: one charge", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(25);
    await account.jump(20);
    expect([totals(account), paid(account)]).toEqual([[2000], 1]);
    expect(account.of("PlanRenewed")[0]?.cover.from).toBe("2026-04-01");
  });

  it("18: three periods while down: not three charges", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(25);
    await account.jump(100);
    expect([totals(account), account.plan]).toEqual([[], "premium"]);
    await account.advance(8);
    expect([totals(account), paid(account)]).toEqual([[2000], 1]);
  });
});

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

describe("overdue payments", () => {
  it("31: a card that expired after the reminder: no further attempt until there is another", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("declines-for-good");
    await account.advance(40);
    expect(totals(account)).toEqual([2000]);
    account.payments.behave("succeeds");
    await account.storeCard();
    await account.advance(1);
    expect([totals(account), paid(account)]).toEqual([[2000, 2000], 1]);
    expect(account.of("PlanRenewed")[0]?.cover.from).toBe("2026-04-01");
  });

  it("is tried again after 1, 3, 7 and 12 days, with a mail each, then the plan ends after 14", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("declines");
    await account.advance(60);
    const days = account.of("ChargeFailed").map(({ at }) => at.slice(0, 10));
    // Midnight in Jerusalem is the evening before in UTC.
    expect(days).toEqual("2026-03-31 2026-04-01 2026-04-03 2026-04-07 2026-04-12".split(" "));
    expect(account.of("SubscriptionEnded")).toMatchObject([{ reason: "unpaid" }]);
    expect(account.of("SubscriptionEnded")[0]?.at).toBe("2026-04-14T21:00:00.000Z");
    const mails = account.of("NoticeDelivered").filter(({ notice }) => notice === "payment-failed");
    expect(mails).toHaveLength(5);
  });

  it("32: another card while overdue: one attempt, not two", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("declines");
    await account.advance(33);
    const before = totals(account).length;
    await account.storeCard();
    await account.storeCard();
    await account.jump(0);
    expect(totals(account).length).toBe(before + 1);
  });

  it("33: cancelled while overdue: access ends, and attempts stop", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("declines");
    await account.advance(32);
    const before = totals(account).length;
    await account.cancel();
    expect(account.plan).toBe("free");
    await account.advance(20);
    expect(totals(account)).toHaveLength(before);
    expect(account.of("SubscriptionEnded")).toMatchObject([{ reason: "cancelled" }]);
  });

  it("34: resumed one second before the end, not one second after", async () => {
    for (const [seconds, expected] of [
      [-1, null],
      [1, "subscription_ended"],
    ] as const) {
      const account = new SimulatedAccount("2026-03-01T21:00:00.000Z");
      account.zone = "UTC";
      await account.buy(monthly);
      await account.advance(20);
      await account.cancel();
      // The end is 1 April, 00:00 UTC: ten days and three hours later.
      await account.advance(10.125 + seconds / 86_400);
      expect(account.resume()).toBe(expected);
    }
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
