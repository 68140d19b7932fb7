import { z } from "zod";

import { type Day } from "../primitives/calendar.ts";
import { PlanCode } from "../subscription/plan.ts";
import { plans } from "../subscription/plans.ts";
import { BillingCycle } from "./calendar.ts";
import { allocate, Currency, type Money, moneyOf, shareOf } from "./money.ts";

export const PaidPlan = PlanCode.exclude(["free"]);
export type PaidPlan = z.infer<typeof PaidPlan>;

/** What a plan costs for one whole cycle, taxes included, in minor units. */
export const Price = z
  .object({
    plan: PaidPlan,
    cycle: BillingCycle,
    amount: z.int().positive(),
    currency: Currency,
    /** Of the price book. */
    version: z.string().min(1).max(40),
  })
  .readonly();
export type Price = z.infer<typeof Price>;

/** The prices of all paid plans from one day on. */
export type PriceVersion = {
  readonly version: string;
  readonly effective: Day;
  readonly currency: string;
  /** In minor units. */
  readonly prices: Readonly<Record<PaidPlan, Readonly<Record<BillingCycle, number>>>>;
};
/** The versions in the order in which they take effect; one that was published never changes. */
export type PriceBook = readonly [PriceVersion, ...PriceVersion[]];

/** Whole units, of the table that the site shows. */
function shownPrices(code: PaidPlan): Readonly<Record<BillingCycle, number>> {
  const price = plans.find((plan) => plan.code === code)?.price;
  if (price === undefined) throw new Error(`There is no plan ${code}`);
  return {
    monthly: moneyOf(price.monthly, "USD").amount,
    annual: moneyOf(price.annualTotal, "USD").amount,
  };
}

/** The prices of the product. A change is a further version with a later day, and the table of plans. */
export const priceBook: PriceBook = [
  {
    version: "2026-01",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a day, written here
    effective: "2026-01-01" as Day,
    currency: "USD",
    prices: { essential: shownPrices("essential"), premium: shownPrices("premium") },
  },
];

/** The price of a plan on a day: of the latest version that is in effect, or of the first. */
export function priceOn(book: PriceBook, plan: PaidPlan, cycle: BillingCycle, day: Day): Price {
  const { version, currency, prices } =
    book.findLast(({ effective }) => effective <= day) ?? book[0];
  return { plan, cycle, amount: prices[plan][cycle], currency, version };
}

/** A tax that prices include. */
export const TaxRate = z
  .object({
    /** As on the invoice: `VAT`. */
    name: z.string().regex(/^[A-Z][A-Za-z0-9 ]{0,19}$/),
    /** In hundredths of a per cent: 1800 is 18 %. */
    basisPoints: z.int().min(1).max(10_000),
    /** Whose tax it is (ISO 3166-1). */
    country: z.string().regex(/^[A-Z]{2}$/),
  })
  .readonly();
export type TaxRate = z.infer<typeof TaxRate>;

export const TaxLine = TaxRate.unwrap().extend({ amount: z.int() }).readonly();
export type TaxLine = z.infer<typeof TaxLine>;

/** `VAT:18:IL`, several separated by commas; none when empty. */
export const TaxRates = z.string().transform((text, context) =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [name, rate, country] = part.trim().split(":");
      const parsed = TaxRate.safeParse({
        name,
        basisPoints: Math.round(Number(rate) * 100),
        country,
      });
      if (parsed.success) return parsed.data;
      context.addIssue("must look like VAT:18:IL");
      return z.NEVER;
    }),
);

/**
 * The taxes that a price includes: rounded once on the whole, then split by the rates, so that net and
 * taxes are exactly the price.
 * @param total with taxes, in minor units
 */
export function includedTaxes(total: number, rates: readonly TaxRate[]): readonly TaxLine[] {
  const all = rates.reduce((sum, { basisPoints }) => sum + basisPoints, 0);
  if (all === 0) return [];
  const taxes = shareOf(total, all, 10_000 + all);
  const amounts = allocate(
    taxes,
    rates.map(({ basisPoints }) => basisPoints),
  );
  return rates.map((rate, index) => ({ ...rate, amount: amounts[index] ?? 0 }));
}

/**
 * The taxes of a part of a payment that is returned, at the rates of that payment: of all that was
 * returned, less what was returned before, so that the taxes of all parts are those of the payment.
 * @param before returned earlier, in minor units
 */
export function returnedTaxes(
  payment: { readonly amount: number; readonly taxes: readonly TaxLine[] },
  returned: number,
  before: number,
): readonly TaxLine[] {
  if (payment.amount === 0) return [];
  const upTo = (sum: number, tax: number) => shareOf(tax, sum, payment.amount);
  return payment.taxes.map((tax) => ({
    ...tax,
    amount: upTo(before + returned, tax.amount) - upTo(before, tax.amount),
  }));
}

/** Of what a granted discount reduces a price by. */
export const DiscountPercent = z.int().min(1).max(100);

const ofPlan = {
  plan: PaidPlan,
  cycle: BillingCycle,
  /** The days that it is for, half open. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** In minor units; negative for a credit or a discount. */
  amount: z.int(),
};
export const PlanLine = z.object({ kind: z.enum(["plan", "credit"]), ...ofPlan });
export const DiscountLine = z.object({
  kind: z.literal("discount"),
  ...ofPlan,
  percent: DiscountPercent,
});

/** What a charge consists of: plans, credits and discounts, taxes included. */
export const ChargeLine = z.discriminatedUnion("kind", [
  PlanLine.readonly(),
  DiscountLine.readonly(),
]);
export type ChargeLine = z.infer<typeof ChargeLine>;

/** What is charged. The lines add up to the total, which includes the taxes. */
export const ChargeTerms = z
  .object({
    lines: z.array(ChargeLine).readonly(),
    total: z.int().nonnegative(),
    currency: Currency,
    taxes: z.array(TaxLine).readonly(),
  })
  .readonly();
export type ChargeTerms = z.infer<typeof ChargeTerms>;

/** The terms of a charge: the one place where lines become a total and its taxes. */
export function chargeTerms(
  lines: readonly ChargeLine[],
  currency: string,
  rates: readonly TaxRate[],
): ChargeTerms {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return { lines, total, currency, taxes: includedTaxes(total, rates) };
}

/** The discount in a charge, if it has one. */
export const discountIn = ({ lines }: Pick<ChargeTerms, "lines">) =>
  lines.find((line) => line.kind === "discount");

/**
 * What a discount takes off a price: rounded once, halves up, and less than all of it, so that there is a
 * payment, which stores the card for the renewals.
 * @returns minor units, 0 where the price is too small for it
 */
export const discountOn = (amount: number, percent: number): number =>
  Math.min(shareOf(amount, percent, 100), amount - 1);

export const totalOf = ({ total, currency }: ChargeTerms): Money => ({ amount: total, currency });

/**
 * The tax of each line, such that they add up to the tax of the whole.
 * @returns one list for each tax, in the order of the lines
 */
export function taxesOfLines({ lines, total, taxes }: ChargeTerms): readonly (readonly number[])[] {
  return taxes.map((tax) =>
    total === 0
      ? lines.map(() => 0)
      : allocate(
          tax.amount,
          lines.map(({ amount }) => amount),
        ),
  );
}
