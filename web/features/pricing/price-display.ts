import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Plan } from "@pro-talent/schemas/subscription/plan";

export type BillingPeriod = "monthly" | "annual";

export function isBillingPeriod(value: string): value is BillingPeriod {
  return value === "monthly" || value === "annual";
}

/**
 * `$8` and `$1,200`: the symbol stands first in every language, because `8 $` is no amount that the
 * price list of the product knows. Amounts without a separator are written as they are: the first
 * use of `Intl` costs a phone some 70 ms, in which it answers no touch.
 */
export function amountText(language: Locale, symbol: string, amount: number): string {
  const plain = Number.isInteger(amount) && Math.abs(amount) < 1000;
  return symbol + (plain ? String(amount) : new Intl.NumberFormat(language).format(amount));
}

export type PriceDisplay = {
  /** Per month in the chosen period. */
  month: string;
  /** Per month when a year is billed at once, and that year. */
  annualMonth: string;
  annualTotal: string;
  discount: number;
};

/** The amounts that a plan shows in a billing period. */
export function displayPrice(
  { price, currencySymbol }: Pick<Plan, "price" | "currencySymbol">,
  period: BillingPeriod,
  language: Locale,
): PriceDisplay {
  const amount = (value: number): string => amountText(language, currencySymbol, value);
  return {
    month: amount(period === "annual" ? price.annual : price.monthly),
    annualMonth: amount(price.annual),
    annualTotal: amount(price.annualTotal),
    discount: price.discount,
  };
}
