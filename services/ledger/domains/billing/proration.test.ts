import {
  isRestDay,
  lastWithdrawalDay,
  nextPlace,
  periodAt,
  type PeriodPlace,
} from "@pro-talent/schemas/billing/calendar";
import { allocate, shareOf } from "@pro-talent/schemas/billing/money";
import {
  ChargeTerms,
  discountIn,
  discountOn,
  includedTaxes,
  type PriceBook,
  returnedTaxes,
  taxesOfLines,
} from "@pro-talent/schemas/billing/prices";
import {
  Day,
  dayIn,
  dayPlus,
  dayPlusMonths,
  daysBetween,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { creditOn, periodTerms } from "./quotes.decider.ts";
import { essential, monthly, SimulatedAccount } from "./testing/simulated-account.ts";

const first = Day.parse("2020-01-01");
const days = fc.integer({ min: 0, max: 365 * 40 }).map((count) => dayPlus(first, count));
const zones = fc.constantFrom(
  "Asia/Jerusalem",
  "America/New_York",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "UTC",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
);
const cycles = fc.constantFrom("monthly" as const, "annual" as const);
/** From one minor unit to what a currency with three digits costs a year. */
const amounts = fc.integer({ min: 1, max: 1_000_000_000 });

describe("periods", () => {
  it("follow one another without a gap, and keep the day of their anchor", () => {
    fc.assert(
      fc.property(days, cycles, fc.integer({ min: 0, max: 120 }), (anchor, cycle, months) => {
        const place: PeriodPlace = { anchor, months, cycle };
        const period = periodAt(place);
        expect(periodAt(nextPlace(place)).from).toBe(period.to);
        expect(daysBetween(period.from, period.to)).toBeGreaterThanOrEqual(
          cycle === "annual" ? 365 : 28,
        );
        const monthEnd = dayPlus(dayPlusMonths(Day.parse(`${period.from.slice(0, 7)}-01`), 1), -1);
        const kept = Math.min(Number(anchor.slice(8)), Number(monthEnd.slice(8)));
        expect(Number(period.from.slice(8))).toBe(kept);
      }),
    );
  });

  it("begin with the first moment of their day in every zone", () => {
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        const start = startOfDay(day, zone);
        expect(dayIn(start, zone) >= day).toBe(true);
        expect(dayIn(instantPlus(start, -1), zone) < day).toBe(true);
      }),
    );
  });

  it("are the same day for every moment of a day, in every zone", () => {
    const dayMs = 24 * 60 * 60 * 1000;
    fc.assert(
      fc.property(days, zones, fc.double({ min: 0, max: 1, noNaN: true }), (day, zone, part) => {
        const [start, next] = [startOfDay(day, zone), startOfDay(dayPlus(day, 1), zone)];
        const length = Date.parse(next) - Date.parse(start);
        // Samoa skipped a day; elsewhere a clock is moved by two hours at most.
        fc.pre(length > 0);
        expect(Math.abs(length - dayMs)).toBeLessThanOrEqual(dayMs / 12);
        const moment = instantPlus(start, Math.floor(part * (length - 1)));
        expect(dayIn(moment, zone)).toBe(day);
      }),
    );
  });

  it("of rest are each Sabbath, and nine days of the Hebrew year", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2020, max: 2060 }), (year) => {
        const start = Day.parse(`${year}-01-01`);
        const all = Array.from({ length: 365 }, (_, index) => dayPlus(start, index));
        const sabbaths = all.filter((day) => new Date(day).getUTCDay() === 6);
        expect(sabbaths.every(isRestDay)).toBe(true);
        // Passover to Tabernacles fall into one year of ours; some of the nine are Sabbaths.
        const others = all.filter((day) => isRestDay(day) && !sabbaths.includes(day));
        expect(others.length).toBeGreaterThanOrEqual(5);
        expect(others.length).toBeLessThanOrEqual(9);
      }),
      { numRuns: 10 },
    );
  });

  it("of withdrawal last 14 days and end on no day of rest", () => {
    fc.assert(
      fc.property(days, (day) => {
        const last = lastWithdrawalDay(day);
        expect(isRestDay(last)).toBe(false);
        const all = daysBetween(day, last);
        expect(all).toBeGreaterThanOrEqual(14);
        const skipped = Array.from({ length: all - 14 }, (_, index) => dayPlus(day, 14 + index));
        expect(skipped.every(isRestDay)).toBe(true);
        // New Year on Thursday and Friday, and the Sabbath: never more days of rest in a row.
        expect(all).toBeLessThanOrEqual(17);
      }),
    );
  });
});

describe("what is left of a payment", () => {
  const payments = fc.record({
    amount: amounts,
    from: days,
    length: fc.integer({ min: 28, max: 366 }),
  });

  it("and what was used are exactly what was paid, and it never grows", () => {
    fc.assert(
      fc.property(payments, fc.integer({ min: -5, max: 400 }), ({ amount, from, length }, past) => {
        const cover = { amount, from, to: dayPlus(from, length) };
        const [today, tomorrow] = [dayPlus(from, past), dayPlus(from, past + 1)];
        const used = shareOf(amount, Math.min(Math.max(past, 0), length), length);
        expect(creditOn(cover, today) + used).toBe(amount);
        expect(creditOn(cover, tomorrow)).toBeLessThanOrEqual(creditOn(cover, today));
        expect(creditOn(cover, from)).toBe(amount);
        expect(creditOn(cover, cover.to)).toBe(0);
      }),
    );
  });
});

/** Of no, two and three decimals. */
const currencies = fc.constantFrom("JPY", "USD", "KWD");

describe("an upgrade within a period", () => {
  const cases = fc.record({
    currency: currencies,
    lower: fc.integer({ min: 1, max: 5_000_000 }),
    more: fc.integer({ min: 0, max: 5_000_000 }),
    day: fc.integer({ min: 0, max: 13 }),
  });

  it("costs what is left of the difference, in whole minor units, and all of it is returned", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ currency, lower, more, day }) => {
        const account = new SimulatedAccount();
        account.book = bookOf(currency, lower, lower + more);
        await account.buy(essential);
        await account.advance(day);
        expect(await account.change(monthly)).toBeNull();
        const [upgrade] = account.of("ChargeIntended");
        // A difference of nothing is applied without a payment.
        fc.pre(upgrade !== undefined);
        const { total, lines } = upgrade.terms;
        // March has 31 days. The new share and the credit are rounded once each.
        expect(Math.abs(total - (more * (31 - day)) / 31)).toBeLessThanOrEqual(1);
        expect(total).toBeGreaterThan(0);
        expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
        const credit = lines.find(({ kind }) => kind === "credit")?.amount ?? 0;
        expect(shareOf(lower, day, 31) - credit).toBe(lower);
        expect(account.payments.balance()).toBe(lower + total);
        await account.cancel();
        expect([account.payments.balance(), account.balance()]).toEqual([0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});

function bookOf(currency: string, lower: number, higher: number): PriceBook {
  const of = (amount: number) => ({ monthly: amount, annual: amount * 10 });
  const prices = { essential: of(lower), premium: of(higher) };
  return [{ version: "1", effective: first, currency, prices }];
}

const rates = fc.array(
  fc.record({
    name: fc.constantFrom("VAT", "GST"),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    country: fc.constant("IL"),
  }),
  { minLength: 1, maxLength: 3 },
);

const percents = fc.integer({ min: 1, max: 100 });

describe("a discount", () => {
  const priced = fc.record({ amount: amounts, currency: currencies, cycle: cycles, anchor: days });

  it("is rounded once, leaves a payment, and its lines and taxes add up in every currency", () => {
    fc.assert(
      fc.property(priced, percents, rates, (given, percent, taxRates) => {
        const { amount, currency, cycle, anchor } = given;
        const price = { plan: "premium", cycle, amount, currency, version: "1" } as const;
        const place = { anchor, months: 0, cycle };
        const terms = periodTerms(price, place, taxRates, percent);
        const off = discountIn(terms)?.amount ?? 0;
        expect(terms.total).toBe(amount + off);
        expect(terms.total).toBeGreaterThan(0);
        // In hundredths: half a minor unit, except where one is left so that there is a payment.
        const differs = terms.total === 1 ? 0 : Math.abs(-off * 100 - amount * percent);
        expect(differs).toBeLessThanOrEqual(50);
        expect(terms.taxes).toEqual(includedTaxes(terms.total, taxRates));
        for (const [index, ofLines] of taxesOfLines(terms).entries()) {
          const sum = ofLines.reduce((all, tax) => all + tax, 0);
          expect(sum).toBe(terms.taxes[index]?.amount);
        }
        expect(ChargeTerms.parse(terms)).toEqual(terms);
      }),
    );
  });

  it("leaves a credit that, with what was used, is what was paid", () => {
    fc.assert(
      fc.property(priced, percents, fc.integer({ min: 0, max: 366 }), (given, percent, past) => {
        const { amount, anchor } = given;
        const paid = amount - discountOn(amount, percent);
        const cover = { amount: paid, from: anchor, to: dayPlus(anchor, 366) };
        const used = shareOf(paid, past, 366);
        expect(creditOn(cover, dayPlus(anchor, past)) + used).toBe(paid);
      }),
    );
  });
});

describe("taxes", () => {
  it("of all returned parts are those of the payment, in whatever parts it returns", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(amounts, rates, parts, (amount, all, weights) => {
        const payment = { amount, taxes: includedTaxes(amount, all) };
        let before = 0;
        const sums = all.map(() => 0);
        for (const part of allocate(amount, weights)) {
          const lines = returnedTaxes(payment, part, before);
          for (const [index, line] of lines.entries())
            sums[index] = (sums[index] ?? 0) + line.amount;
          before += part;
        }
        expect(sums).toEqual(payment.taxes.map((tax) => tax.amount));
      }),
    );
  });
});
