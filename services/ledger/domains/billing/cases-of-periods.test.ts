import { isRestDay, lastWithdrawalDay, periodAt } from "@pro-talent/schemas/billing/calendar";
import { minorDigits } from "@pro-talent/schemas/billing/money";
import {
  chargeTerms,
  includedTaxes,
  type PriceBook,
  priceBook,
  returnedTaxes,
  taxesOfLines,
} from "@pro-talent/schemas/billing/prices";
import { Day, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { describe, expect, it } from "vitest";

import { creditOn } from "./quotes.decider.ts";
import { annual, essential, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

const day = (text: string): Day => Day.parse(text);
const premiumFor = (amount: number, effective: string): PriceBook => [
  ...priceBook,
  {
    ...priceBook[0],
    version: effective,
    effective: day(effective),
    prices: { ...priceBook[0].prices, premium: { monthly: amount, annual: amount * 10 } },
  },
];
const renewedOn = (account: SimulatedAccount) =>
  account.of("PlanRenewed").map(({ cover }) => cover.from);
const amounts = (account: SimulatedAccount) =>
  account.of("ChargeIntended").map(({ terms }) => terms.total);

describe("periods", () => {
  it("1: 31 January, twelve renewals", async () => {
    const account = new SimulatedAccount("2026-01-31T10:00:00.000Z");
    await account.buy(monthly);
    await account.advance(366);
    expect(renewedOn(account)).toEqual(
      "2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-30 2026-12-31 2027-01-31".split(
        " ",
      ),
    );
  });

  it("2: 29 February yearly, eight years", async () => {
    const account = new SimulatedAccount("2028-02-29T10:00:00.000Z");
    await account.buy(annual);
    await account.advance(8 * 365 + 4);
    expect(renewedOn(account)).toEqual(
      "2029-02-28 2030-02-28 2031-02-28 2032-02-29 2033-02-28 2034-02-28 2035-02-28 2036-02-29".split(
        " ",
      ),
    );
  });

  it("3: 30 August through February", () => {
    const starts = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (months) => periodAt({ anchor: day("2026-08-30"), months, cycle: "monthly" }).from,
    );
    expect(starts.slice(-3)).toEqual(["2027-01-30", "2027-02-28", "2027-03-30"]);
  });

  it("4: a day begins after the gap of its night, and at the first of a repeated hour", () => {
    expect(startOfDay(day("2018-11-04"), "America/Sao_Paulo")).toBe("2018-11-04T03:00:00.000Z");
    expect(startOfDay(day("2026-10-25"), "Asia/Jerusalem")).toBe("2026-10-24T21:00:00.000Z");
    expect(startOfDay(day("2026-11-01"), "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
  });

  it("5: another time zone of the holder does not move the end of the period", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    await account.advance(16);
    account.zone = "Pacific/Auckland";
    await account.cancel();
    expect(account.of("CancellationRequested")).toMatchObject([
      { endsOn: "2026-04-01", endsAt: "2026-03-31T21:00:00.000Z" },
    ]);
  });

  it("6: the day is the holder's: 23:59 there is the next day in UTC", async () => {
    const account = new SimulatedAccount("2026-03-02T07:59:00.000Z");
    account.zone = "America/Los_Angeles";
    await account.buy(monthly);
    expect(account.state.subscription?.startedOn).toBe("2026-03-01");
  });
});

describe("changes", () => {
  it("7: an upgrade in the first second costs the difference, on the last day a day's share", async () => {
    const first = new SimulatedAccount();
    await first.buy(essential);
    await first.change(monthly);
    expect(amounts(first)).toEqual([1000]);
    const last = new SimulatedAccount();
    await last.buy(essential);
    await last.advance(30);
    await last.change(monthly);
    // 31 days: 2,000 - 1,935 for the new plan, 1,000 - 968 of the old one.
    expect(amounts(last)).toEqual([65 - 32]);
    expect(last.plan).toBe("premium");
  });

  it("7: the example of the note: 3,100 to 6,200 after ten of 31 days", () => {
    const cover = { amount: 3100, from: day("2026-03-01"), to: day("2026-04-01") };
    expect(creditOn(cover, day("2026-03-11"))).toBe(2100);
  });

  it("8: two upgrades on one day: all of the first is credited", async () => {
    const account = new SimulatedAccount();
    await account.buy(essential);
    await account.advance(10);
    await account.change(monthly);
    await account.change(annual);
    const [first = 0, second = 0] = amounts(account);
    // Of 1,000 for 31 days, ten days were used.
    expect(1000 + first + second).toBe(18_000 + 323);
    expect(account.balance()).toBe(account.payments.balance());
  });

  it("9: a downgrade and an upgrade on one day mint no credit", async () => {
    const account = new SimulatedAccount();
    await account.buy(essential);
    await account.advance(10);
    await account.change(monthly);
    const before = account.payments.balance();
    await account.change(essential);
    expect(await account.change(monthly)).toBe("plan_unchanged");
    expect(account.dropDowngrade()).toBeNull();
    expect(account.payments.balance()).toBe(before);
    expect(account.plan).toBe("premium");
  });

  it("10: upgraded and cancelled inside 14 days: both payments come back, once", async () => {
    const account = new SimulatedAccount();
    await account.buy(essential);
    await account.advance(3);
    await account.change(monthly);
    await account.cancel();
    expect(await account.cancel()).toBe("subscription_ended");
    await account.advance(40);
    expect(account.of("RefundSettled")).toHaveLength(2);
    expect(account.payments.balance()).toBe(0);
    expect(account.plan).toBe("free");
  });

  it("11: from months to a year: a new anchor, and what is left is credited", async () => {
    const account = new SimulatedAccount("2026-01-31T10:00:00.000Z");
    await account.buy(monthly);
    await account.advance(14);
    await account.change(annual);
    expect(amounts(account)).toEqual([18_000 - 1000]);
    expect(account.state.subscription?.place).toEqual({
      anchor: "2026-02-14",
      months: 0,
      cycle: "annual",
    });
  });

  it("11: cancelled while the bank confirms the year: the year that was paid is kept, and is the last", async () => {
    const account = new SimulatedAccount("2026-03-01T10:00:00.000Z");
    await account.buy(monthly);
    await account.advance(20);
    account.payments.behave("challenges");
    await account.change(annual);
    const upgrade = account.of("ChargeIntended")[0]?.charge ?? "";
    await account.cancel();
    account.payments.confirm(upgrade);
    await account.lookUp(upgrade);
    await account.advance(360);
    expect(account.plan).toBe("premium");
    await account.advance(10);
    expect([account.plan, amounts(account).length]).toEqual(["free", 1]);
  });

  it("12: from a year to months is pending while the price changes: the chosen price counts", async () => {
    const account = new SimulatedAccount();
    await account.buy(annual);
    await account.advance(200);
    await account.change(monthly);
    account.book = premiumFor(2500, "2027-01-01");
    await account.advance(166);
    expect(account.of("PlanRenewed")).toMatchObject([
      { price: { cycle: "monthly", amount: 2000 }, cover: { from: "2027-03-01" } },
    ]);
  });
});

describe("price changes", () => {
  it("both notices delivered: the new price from the announced renewal on", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.book = premiumFor(2500, "2026-04-15");
    await account.advance(62);
    expect(account.of("PriceAnnounced")).toMatchObject([{ effective: "2026-05-01" }]);
    expect(amounts(account)).toEqual([2000, 2500]);
  });

  it("13: the first notice bounced: the old price", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.book = premiumFor(2500, "2026-04-15");
    await account.advance(33);
    const about = account.of("PriceAnnounced")[0]?.effective ?? "";
    account.issue({ type: "RecordNotice", notice: "price-first", about, result: "bounced" });
    await account.advance(29);
    expect(amounts(account)).toEqual([2000, 2000]);
  });

  it("14: a notice, then an upgrade: what was ordered counts", async () => {
    const account = new SimulatedAccount();
    await account.buy(essential);
    const { essential: old } = priceBook[0].prices;
    const essentialBook = premiumFor(2000, "2026-04-15").map((version) =>
      version.effective === "2026-04-15"
        ? { ...version, prices: { ...version.prices, essential: { ...old, monthly: 1500 } } }
        : version,
    );
    account.book = [essentialBook[0] ?? priceBook[0], ...essentialBook.slice(1)];
    await account.advance(5);
    expect(account.of("PriceAnnounced")).toHaveLength(1);
    await account.change(monthly);
    expect(account.state.subscription?.announced).toBeNull();
    await account.advance(60);
    expect(account.of("PlanRenewed").map(({ price }) => price.amount)).toEqual([2000, 2000]);
  });

  it("15: a lower price needs no notice", async () => {
    const account = new SimulatedAccount();
    await account.buy(monthly);
    account.book = premiumFor(1500, "2026-04-01");
    await account.advance(33);
    expect(amounts(account)).toEqual([1500]);
  });
});

describe("law and money", () => {
  it("37: a 14th day on a Sabbath or holiday moves on", () => {
    expect(isRestDay(day("2026-11-21"))).toBe(true);
    expect(lastWithdrawalDay(day("2026-11-07"))).toBe("2026-11-22");
    // New Year 5787 begins on a Sabbath and has two days.
    expect(lastWithdrawalDay(day("2026-08-29"))).toBe("2026-09-14");
    expect(lastWithdrawalDay(day("2026-11-08"))).toBe("2026-11-22");
  });

  it("38: a refund has the taxes of its payment, also after the rate changed", () => {
    const vat = { name: "VAT", basisPoints: 1800, country: "IL" };
    const terms = chargeTerms([], "USD", []);
    const payment = { amount: 2000, taxes: includedTaxes(2000, [vat]) };
    expect(payment.taxes).toEqual([{ ...vat, amount: 305 }]);
    const parts = [700, 700, 600].map((part, index) => returnedTaxes(payment, part, index * 700));
    expect(parts.flat().reduce((sum, { amount }) => sum + amount, 0)).toBe(305);
    expect(terms.total).toBe(0);
  });

  it("39: taxes of the lines add up; currencies have no, two or three digits", () => {
    const rates = [{ name: "VAT", basisPoints: 1700, country: "IL" }];
    const line = {
      kind: "plan",
      plan: "premium",
      cycle: "monthly",
      from: "2026-01-01",
      to: "2026-02-01",
    } as const;
    const lines = [333, 333, 334, -101].map((amount) => ({ ...line, amount }));
    const terms = chargeTerms(lines, "JPY", rates);
    const [ofLines = []] = taxesOfLines(terms);
    expect(ofLines.reduce((sum, amount) => sum + amount, 0)).toBe(terms.taxes[0]?.amount);
    expect(["JPY", "USD", "KWD"].map(minorDigits)).toEqual([0, 2, 3]);
  });
});
