import { describe, expect, it } from "vitest";

import { recordReturn } from "./notices-work.ts";
import { quoteCancel } from "./quotes.decider.ts";
import { subscriptionView } from "./subscription-view.ts";
import { annual, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

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

  it("a mailbox that refuses the notices of an annual plan takes none of the days that were paid for", async () => {
    const account = new SimulatedAccount();
    await account.buy(annual);
    account.mail = "refuses";
    await account.advance(364);
    expect(account.plan).toBe(annual.plan);
    await account.advance(3);
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

/** The mail server reports that the last mail of a kind came back. @returns whether it counted */
async function bounce(account: SimulatedAccount, notice: string, kind: Kind = "hard") {
  const mail = account.mails.findLast(({ id }) => id.startsWith(`billing-${notice}-`));
  const report = { mailId: mail?.id ?? "", kind };
  return await recordReturn(account.store, report, account.context);
}
type Kind = "hard" | "soft" | "complaint";

describe("mails that come back", () => {
  it.each(["hard", "soft"] as const)(
    "16: %s: sent again, charged seven days later",
    async (kind) => {
      const account = new SimulatedAccount();
      await account.buy(monthly);
      await account.advance(24);
      expect([
        await bounce(account, "reminder", kind),
        await bounce(account, "reminder", kind),
      ]).toEqual([true, false]);
      await account.advance(7);
      expect([totals(account), account.plan]).toEqual([[], "premium"]);
      await account.advance(1);
      expect(totals(account)).toEqual([2000]);
      expect(account.of("PlanRenewed")[0]?.cover.from).toBe("2026-04-02");
      const ids = account.mails.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it("a report about an earlier attempt leaves the later one as it is", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(24);
    const first = account.mails.at(-1)?.id ?? "";
    await bounce(account, "reminder");
    await account.advance(2);
    const again = { mailId: first, kind: "hard" } as const;
    expect(await recordReturn(account.store, again, account.context)).toBe(false);
    await account.advance(10);
    expect(totals(account)).toEqual([2000]);
  });

  it("a complaint shows that the reminder was read", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(24);
    expect(await bounce(account, "reminder", "complaint")).toBe(false);
    await account.advance(8);
    expect(totals(account)).toEqual([2000]);
  });

  it("a mailbox that returns the reminder for thirty days ends the plan without a charge", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(24);
    for (let day = 0; day < 40; day += 1) {
      await bounce(account, "reminder");
      await account.advance(1);
    }
    expect(account.of("SubscriptionEnded")).toMatchObject([{ reason: "unreachable" }]);
    expect(totals(account)).toEqual([]);
  });

  it("a payment that failed is not tried again without the reminder", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.payments.behave("declines");
    await account.advance(31);
    expect(await bounce(account, "reminder")).toBe(true);
    await account.advance(20);
    expect([totals(account), account.plan]).toEqual([[2000], "free"]);
  });
});

describe("the refund window and the confirmation of the order", () => {
  const act = (account: SimulatedAccount) =>
    ({ act: "", ...quoteCancel(account.state, account.now) }).act;

  it("14 days from the delivery of the confirmation, when that is later than the contract", async () => {
    const account = new SimulatedAccount();
    account.mail = "delays";
    await account.buy(monthly);
    const shown = () =>
      subscriptionView(account.state, account.terms, account.now, {
        payment: undefined,
        card: undefined,
      }).refund;
    expect(shown()).toMatchObject({ daysLeft: 14, lastDay: "2026-03-15" });
    await account.advance(20);
    expect(act(account)).toBe("withdraw");
    // As if it were delivered on this day; the 14th day after it is a Sabbath.
    expect(shown()).toMatchObject({ daysLeft: 15, lastDay: "2026-04-05" });
    account.mail = "accepts";
    await account.advance(1);
    expect(account.of("NoticeDelivered")).toMatchObject([{ notice: "order", on: "2026-03-21" }]);
    expect(shown()).toMatchObject({ daysLeft: 14, lastDay: "2026-04-05" });
    await account.advance(14);
    expect(act(account)).toBe("withdraw");
    await account.advance(1);
    expect(act(account)).toBe("cancel");
  });

  it("a confirmation that came back is sent again, and the window begins with that", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(3);
    expect(await bounce(account, "order")).toBe(true);
    await account.advance(2);
    const orders = account.of("NoticeDelivered").filter(({ notice }) => notice === "order");
    expect(orders.map(({ on }) => on)).toEqual(["2026-03-01", "2026-03-05"]);
    await account.advance(13);
    expect(act(account)).toBe("withdraw");
    await account.advance(2);
    expect(act(account)).toBe("cancel");
  });

  it("is never longer than a year for a confirmation that cannot be delivered", async () => {
    const account = new SimulatedAccount();
    account.mail = "delays";
    await account.buy(annual);
    await account.advance(370);
    expect(act(account)).toBe("withdraw");
    await account.advance(15);
    expect(act(account)).toBe("cancel");
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
