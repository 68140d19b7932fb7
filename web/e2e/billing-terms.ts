import { periodAt } from "@pro-talent/schemas/billing/calendar";
import { chargeTerms, discountOn, priceBook, priceOn } from "@pro-talent/schemas/billing/prices";
import type { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import { type Day, dayPlus } from "@pro-talent/schemas/primitives/calendar";

/** A day in the past: nothing on a page may depend on the clock of the machine. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a day, written here
export const today = "2026-03-10" as Day;
export const instant = "2026-03-24T21:59:59.000Z";
export const usd = (amount: number) => ({ amount, currency: "USD" });
export const zone = "Asia/Jerusalem";
const tax = { name: "VAT", basisPoints: 1800, country: "IL" };

export const place = (cycle: "monthly" | "annual") => ({ anchor: today, months: 0, cycle });

/** What a period costs, less a credit in minor units or a discount in per cent. */
export function termsOf({ plan, cycle }: PlanChoice, { credit = 0, percent = 0 } = {}) {
  const price = priceOn(priceBook, plan, cycle, today);
  const { from, to } = periodAt(place(cycle));
  const line = { plan, cycle, from, to };
  const lines = [
    ...(credit === 0
      ? []
      : [{ ...line, kind: "credit" as const, plan: "essential" as const, amount: -credit }]),
    { ...line, kind: "plan" as const, amount: price.amount },
    ...(percent === 0
      ? []
      : [
          {
            ...line,
            kind: "discount" as const,
            percent,
            amount: -discountOn(price.amount, percent),
          },
        ]),
  ];
  return { price, terms: chargeTerms(lines, "USD", [tax]), to };
}

/** What a new subscription would cost. @param percent of its launch discount */
export function startQuote(choice: PlanChoice, percent: number) {
  const { price, terms, to } = termsOf(choice, { percent });
  const next = { on: to, ...usd(price.amount) };
  const window = { refundUntil: instant, lastRefundDay: dayPlus(today, 14) };
  return { act: "start", price, place: place(choice.cycle), terms, zone, ...window, next };
}
