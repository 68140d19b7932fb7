import {
  Day,
  dayIn,
  dayPlus,
  dayPlusMonths,
  daysBetween,
  isRestDay,
  lastWithdrawalDay,
  nextPlace,
  periodAt,
  type PeriodPlace,
  startOfDay,
} from "@pro-talent/schemas/billing/calendar";
import { allocate, shareOf } from "@pro-talent/schemas/billing/money";
import { includedTaxes, returnedTaxes } from "@pro-talent/schemas/billing/prices";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { creditOn } from "./quotes.decider.ts";

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

  it("of withdrawal last 14 days and end on no day of rest", () => {
    fc.assert(
      fc.property(days, (day) => {
        const last = lastWithdrawalDay(day);
        expect(isRestDay(last)).toBe(false);
        const all = daysBetween(day, last);
        expect(all).toBeGreaterThanOrEqual(14);
        const skipped = Array.from({ length: all - 14 }, (_, index) => dayPlus(day, 14 + index));
        expect(skipped.every(isRestDay)).toBe(true);
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

describe("taxes", () => {
  const rates = fc.array(
    fc.record({
      name: fc.constantFrom("VAT", "GST"),
      basisPoints: fc.integer({ min: 1, max: 10_000 }),
      country: fc.constant("IL"),
    }),
    { minLength: 1, maxLength: 3 },
  );

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
