import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Plan } from "@pro-talent/schemas/subscription/plan";

export type BillingPeriod = "monthly" | "annual";

export function isBillingPeriod(value: string): value is BillingPeriod {
  return value === "monthly" || value === "annual";
}

/**
 * `$8` and `$1,200`: the symbol comes first in both languages, as in the price list. Small amounts
 * do without `Intl`, whose first use takes a phone some 70 ms.
 */
export function amountText(language: Locale, symbol: string, amount: number): string {
  const plain = Number.isInteger(amount) && Math.abs(amount) < 1000;
  return symbol + (plain ? String(amount) : new Intl.NumberFormat(language).format(amount));
}

export type PriceDisplay = {
  /** Per month in the chosen period. */
  month: string;
  /** Per month when billed annually. */
  annualMonth: string;
  annualTotal: string;
  discount: number;
};

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
