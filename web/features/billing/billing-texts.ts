import type { ChargeTerms } from "@pro-talent/schemas/billing/prices";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { localTime } from "../local-time.ts";
import type { Action } from "./billing-calls.ts";

const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  moneyFormats.set(currency, format);
  return format;
}

/**
 * `$19.99`: symbol first in both languages, as in the price list. An amount from 0 up keeps its
 * direction within a Hebrew sentence; a negative one needs `<bdi dir="ltr">`.
 * @param amount in minor units of the currency
 */
export function moneyText({ amount, currency }: { amount: number; currency: string }): string {
  const format = moneyFormat(currency);
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}

/** The launch discount in a charge, in per cent. Read here: the contract would bring its parser along. */
export const discountOf = ({ lines }: ChargeTerms): number | undefined =>
  lines.find((line) => line.kind === "discount")?.percent;

/** `18%`, from hundredths of a per cent. */
export const rateText = (basisPoints: number): string =>
  `${(basisPoints / 100).toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

/** The day of an instant in the account's time zone, as on invoices: `November 22, 2026`. */
export const dateText = (language: Locale, instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(new Date(instant));

/** The last whole day before an instant that is midnight in a time zone, `YYYY-MM-DD`; null of another. */
export function lastDayUntil(instant: string, timeZone: string): string | null {
  const { day, time } = localTime(instant, timeZone);
  return time === "00:00:00" ? dayBefore(day) : null;
}

/** Whether cancelling ends the plan with the act: days after the paid period were not paid for. */
export const endsAtOnce = ({ quote }: Action, periodTo: string | null): boolean =>
  quote.act === "cancel" && quote.endsOn !== periodTo;

/** The day before another one, both `YYYY-MM-DD`: the last day of a period that ends there. */
export function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}
