import { z } from "zod";

/** Code of a currency (ISO 4217). */
export const Currency = z.string().regex(/^[A-Z]{3}$/);

/** An amount in minor units of its currency: 1999 is 19.99 USD. */
export const Money = z.object({ amount: z.int(), currency: Currency });
export type Money = z.infer<typeof Money>;

/** Currencies whose minor unit does not have two digits (ISO 4217). */
const withoutMinorUnit: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "),
);
const withThreeDigits: ReadonlySet<string> = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/** How many minor units one unit of a currency has, as a power of ten: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  if (withoutMinorUnit.has(currency)) return 0;
  return withThreeDigits.has(currency) ? 3 : 2;
}

/** Whole units of a currency in its minor units. */
export const moneyOf = (units: number, currency: string): Money => ({
  amount: units * 10 ** minorDigits(currency),
  currency,
});

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format takes much longer than using it. */
function formatOf(currency: string, language: string): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const digits = minorDigits(currency);
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/** `$19.99` or `19.99 US$`, as the language writes it. */
export const formatMoney = ({ amount, currency }: Money, language: string): string =>
  formatOf(currency, language).format(amount / 10 ** minorDigits(currency));

/** A share of an amount, rounded once, halves up in size. @param of greater than 0 */
export function shareOf(amount: number, part: number, of: number): number {
  // Whole numbers: a quotient of floating point numbers could fall on the other side of a half.
  const [product, divisor] = [BigInt(amount) * BigInt(part), BigInt(of)];
  const size = product < 0n ? -product : product;
  const rounded = Number((size * 2n + divisor) / (divisor * 2n));
  return product < 0n ? -rounded : rounded;
}

/**
 * Splits a total by weights so that the parts are whole and their sum is the total: each part is rounded
 * down, and the rest goes to those that lost most (largest remainder), the first of equals first.
 * @param weights not all 0
 */
export function allocate(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (BigInt(total) * BigInt(weight)) / BigInt(sum));
  const parts = exact.map(Number);
  const lost = weights.map((weight, index) => {
    const rest = BigInt(total) * BigInt(weight) - (exact[index] ?? 0n) * BigInt(sum);
    return { index, rest: rest < 0n ? -rest : rest };
  });
  const missing = total - parts.reduce((all, part) => all + part, 0);
  const first = lost.toSorted((a, b) => Number(b.rest - a.rest)).slice(0, Math.abs(missing));
  const raised = new Set(first.map(({ index }) => index));
  return parts.map((part, index) => (raised.has(index) ? part + Math.sign(missing) : part));
}
