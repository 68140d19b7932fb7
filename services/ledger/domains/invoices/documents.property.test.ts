import { env as environment } from "node:process";

import { chargeTerms, discountOn, type TaxRate } from "@pro-talent/schemas/billing/prices";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { agorotOf, RateMissing } from "./document-facts.ts";
import type { PaymentCommand } from "./invoice.decider.ts";
import {
  account,
  Bookkeeping,
  charge,
  monthTerms,
  settingsOf,
  vat,
} from "./testing/bookkeeping.ts";

/** `INVOICE_RUNS=20000` plays as many. */
const runs = Number(environment["INVOICE_RUNS"] ?? 300);
const days = { from: "2026-11-22", to: "2026-12-22" };

/** Payments of several lines, credits and discounts among them, in currencies of zero, two and three decimals. */
const payment = fc
  .record({
    plan: fc.integer({ min: 1, max: 1_000_000 }),
    credits: fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 3 }),
    currency: fc.constantFrom("USD", "JPY", "KWD", "ILS"),
    percent: fc.integer({ min: 0, max: 100 }),
    rates: fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 2 }),
  })
  .filter(
    ({ plan, credits, percent }) =>
      credits.reduce((sum, credit) => sum + credit, discountOn(plan, percent)) <= plan,
  )
  .map(({ plan, credits, currency, percent, rates }) => {
    const line = { plan: "premium", cycle: "monthly", ...days } as const;
    const lines = [
      { ...line, kind: "plan" as const, amount: plan },
      ...(percent === 0
        ? []
        : [{ ...line, kind: "discount" as const, percent, amount: -discountOn(plan, percent) }]),
      ...credits.map((credit) => ({ ...line, kind: "credit" as const, amount: -credit })),
    ];
    const taxes = rates.map((basisPoints, index): TaxRate => {
      return { name: `T${index}`, basisPoints, country: "IL" };
    });
    return chargeTerms(lines, currency, taxes);
  });

/** What may be reported of one payment, in any order and more than once. */
const report: fc.Arbitrary<PaymentCommand | "issue"> = fc.oneof(
  fc.constant({ type: "RecordPayment" as const, charge }),
  fc.record({
    type: fc.constant("NoteRefund" as const),
    charge: fc.constant(charge),
    refund: fc.constantFrom(`${charge}.1`, `${charge}.2`, `${charge}.3`),
    amount: fc.integer({ min: 1, max: 400_000 }),
  }),
  fc.record({
    type: fc.constantFrom("SettleRefund" as const, "FailRefund" as const),
    charge: fc.constant(charge),
    refund: fc.constantFrom(`${charge}.1`, `${charge}.2`, `${charge}.3`),
  }),
  fc.record({
    type: fc.constant("ObserveReturn" as const),
    charge: fc.constant(charge),
    returned: fc.integer({ min: 0, max: 1_000_000 }),
  }),
  fc.constant("issue" as const),
);

const rates = settingsOf({
  INVOICE_SHEKEL_RATES: "USD=3.654321@2026-11-20,JPY=0.0245@2026-11-20,KWD=11.9@2026-11-20",
});

describe("the documents of a payment", () => {
  it("add up to what was paid less what was credited, in every amount that they state", () => {
    fc.assert(
      fc.property(payment, fc.array(report, { maxLength: 25 }), (terms, reports) => {
        const book = new Bookkeeping(rates);
        book.do({ type: "NotePayment", charge, account, terms });
        let highest = 0;
        for (const command of reports) {
          if (command === "issue") book.issue();
          else book.do(command);
          const { paid, returned } = book.state;
          if (paid) highest = Math.max(highest, Math.min(returned, terms.total));
        }
        book.issue();
        const { paid, credited } = book.state;
        expect(credited).toBe(highest);
        expect(book.documents.filter(({ kind }) => kind === "invoice")).toHaveLength(paid ? 1 : 0);
        expect(book.sum(({ total }) => total)).toBe(paid ? terms.total - credited : 0);
        if (!paid || credited < terms.total) return;
        expect(book.sum(({ net }) => net)).toBe(0);
        for (const { name } of terms.taxes) {
          const taxOf = (all: typeof terms.taxes) => all.find((tax) => tax.name === name)?.amount;
          expect(book.sum(({ taxes }) => taxOf(taxes) ?? 0)).toBe(0);
        }
        expect(book.sum(({ shekels }) => shekels?.total ?? 0)).toBe(0);
        expect(book.sum(({ shekels }) => shekels?.tax ?? 0)).toBe(0);
      }),
      { numRuns: runs },
    );
  });
});

describe("rounding", () => {
  it("a credit note has the tax and the shekel rate of its payment, whatever is configured later (case 38)", () => {
    const book = new Bookkeeping(settingsOf());
    book.do({ type: "NotePayment", charge, account, terms: monthTerms(1000) });
    book.do({ type: "RecordPayment", charge });
    book.issue();
    const later = settingsOf({ INVOICE_SHEKEL_RATES: "USD=9.99@2027-02-01" });
    const after = Object.assign(new Bookkeeping(later), { state: book.state });
    after.do({ type: "ObserveReturn", charge, returned: 1000 });
    after.issue();
    const [invoice, note] = [book.documents[0], after.documents[0]];
    expect(note?.taxes).toEqual(invoice?.taxes);
    expect(note?.shekels).toEqual(invoice?.shekels);
    expect(note?.corrects).toMatchObject({ label: invoice?.label });
  });

  it("the taxes of the lines are those of the whole (case 39)", () => {
    const line = { kind: "plan", plan: "premium", cycle: "monthly", ...days } as const;
    const terms = chargeTerms(
      [7, 7, 7].map((amount) => ({ ...line, amount })),
      "USD",
      [vat],
    );
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do({ type: "RecordPayment", charge });
    book.issue();
    const [invoice] = book.documents;
    // Each line alone would round to 1, the whole rounds to 3.
    expect(invoice?.taxes[0]?.amount).toBe(3);
    expect(invoice?.lines.map(({ tax }) => tax)).toEqual([1, 1, 1]);
    expect(invoice?.net).toBe(18);
  });

  it.each([
    ["JPY", 1000, "JPY=0.0245@2026-11-20", 2450],
    ["KWD", 1000, "KWD=11.9@2026-11-20", 1190],
    ["USD", 1000, "USD=3.65@2026-11-20", 3650],
  ])("shekels follow the decimals of %s (case 39)", (_currency, amount, text, agorot) => {
    const [rate] = settingsOf({ INVOICE_SHEKEL_RATES: text }).rates;
    expect(rate && agorotOf(amount, rate)).toBe(agorot);
  });
});

describe("a seller", () => {
  const pay = (variables: Record<string, string>) => {
    const book = new Bookkeeping(settingsOf(variables));
    book.do({ type: "NotePayment", charge, account, terms: monthTerms(1000) });
    book.do({ type: "RecordPayment", charge });
    book.issue();
    return book.documents[0];
  };

  it("in Israel issues nothing in dollars without a rate; a sample does without", () => {
    expect(() => pay({ INVOICE_SHEKEL_RATES: "" })).toThrow(RateMissing);
    expect(pay({ INVOICE_SHEKEL_RATES: "", SELLER_TAX_ID: "" })?.shekels).toBeNull();
  });

  it("elsewhere states no shekels", () => {
    expect(pay({ SELLER_COUNTRY: "FR" })?.shekels).toBeNull();
  });

  it.each(["invoice:INV:yearly", "invoice:A:yearly,credit-note:A:yearly", "x", ""])(
    "cannot start with the series %j",
    (text) => {
      expect(() => settingsOf({ INVOICE_SERIES: text })).toThrow(/must look like/);
    },
  );
});
