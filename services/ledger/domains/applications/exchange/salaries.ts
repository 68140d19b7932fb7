import type { Salary } from "@pro-talent/schemas/applications/application";
import type { z } from "zod";

import { words } from "./words.ts";

type SalaryRange = z.infer<typeof Salary>;
type Amounts = Pick<SalaryRange, "from" | "to">;

const amountMax = 1_000_000_000;
const textCharsMax = 200;
const amount =
  /(?<digits>\d+(?:[.,' \u00A0\u202F]\d{3})*(?:[.,]\d{1,2})?)(?!\d)\s*(?<thousands>k\b|אלף|אלפים)?/giu;
const signs: readonly (readonly [sign: RegExp, currency: string])[] = [
  [/₪|ש"ח|ש״ח|ש''ח|שקל|\bNIS\b/iu, "ILS"],
  [/€|\beuros?\b/iu, "EUR"],
  [/£/u, "GBP"],
  [/\$|\bdollars?\b|דולר/iu, "USD"],
];
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const periods: readonly (readonly [period: SalaryRange["per"], word: RegExp])[] = [
  ["hour", /hour|\bhr\b|\/h\b|לשעה|שעתי/iu],
  ["month", /month|\bmo\b|\bpm\b|לחודש|בחודש|חודשי/iu],
  ["year", /year|annual|annum|\byr\b|\bpa\b|לשנה|בשנה|שנתי/iu],
];

/**
 * A salary as people write it: `₪20k–25k`, `$120,000`, `18,000-22,000 ₪ לחודש`, `from 50 EUR per hour`. Without a
 * stated period, the one that is usual for the amount and currency.
 * @param stated a currency or period of other columns
 * @returns undefined without amounts or currency
 */
export function readSalary(
  text: string,
  stated: { currency?: string; per?: string } = {},
): SalaryRange | undefined {
  const bounded = text.slice(0, textCharsMax);
  const currency =
    currencyIn(stated.currency ?? "") ??
    currencyIn(bounded) ??
    (/[\u05D0-\u05EA]/u.test(bounded) ? "ILS" : undefined);
  const amounts = rangeIn(bounded);
  if (currency === undefined || amounts === undefined) return undefined;
  return {
    ...amounts,
    currency,
    per: periodIn(stated.per ?? "") ?? periodIn(bounded) ?? usualPeriod(amounts, currency),
  };
}

/** From columns of their own. */
export function readSalaryParts({
  from,
  to,
  currency,
  per,
}: {
  from: string;
  to: string;
  currency: string;
  per: string;
}): SalaryRange | undefined {
  const [low] = amountsIn(from);
  const [high] = amountsIn(to);
  const code = currency.trim();
  const known = /^[A-Z]{3}$/u.test(code) ? code : currencyIn(`${currency} ${from} ${to}`);
  const isRange = low === undefined || high === undefined || low <= high;
  if (known === undefined || !isRange) return undefined;
  const amounts = { from: low ?? null, to: high ?? null };
  return { ...amounts, currency: known, per: periodIn(per) ?? usualPeriod(amounts, known) };
}

function currencyIn(text: string): string | undefined {
  const code = text.match(/\b[A-Z]{3}\b/gu)?.find((one) => currencies.has(one));
  return code ?? signs.find(([sign]) => sign.test(text))?.[1];
}

function periodIn(text: string): SalaryRange["per"] | undefined {
  const own = periods.find(([period]) =>
    [words.en.per[period], words.he.per[period]].includes(text.trim()),
  );
  return (own ?? periods.find(([, word]) => word.test(text)))?.[0];
}

function amountsIn(text: string): number[] {
  const found = [...text.matchAll(amount)].map(({ groups = {} }) => {
    const { digits = "", thousands } = groups;
    const fraction = /[.,](\d{1,2})$/u.exec(digits);
    const whole = digits.slice(0, fraction?.index ?? digits.length).replaceAll(/\D/gu, "");
    return {
      value: Number(`${whole}.${fraction?.[1] ?? 0}`),
      isThousands: thousands !== undefined,
    };
  });
  // `20-25k` means thousands twice.
  const isSmall = found.some(({ isThousands }) => isThousands);
  return found
    .map(({ value, isThousands }) =>
      Math.round(isThousands || (isSmall && value < 1000) ? value * 1000 : value),
    )
    .filter((value) => value <= amountMax);
}

function rangeIn(text: string): Amounts | undefined {
  const [first, second, ...more] = amountsIn(text);
  if (first === undefined || more.length > 0) return undefined;
  if (second !== undefined) return first <= second ? { from: first, to: second } : undefined;
  if (/\bup to\b|\bmax|עד/iu.test(text)) return { from: null, to: first };
  if (/\bfrom\b|\bmin|\+|החל מ|לפחות|מעל/iu.test(text)) return { from: first, to: null };
  return { from: first, to: first };
}

function usualPeriod({ from, to }: Amounts, currency: string): SalaryRange["per"] {
  const most = to ?? from ?? 0;
  if (most < 1000) return "hour";
  return most < (currency === "ILS" ? 100_000 : 20_000) ? "month" : "year";
}
