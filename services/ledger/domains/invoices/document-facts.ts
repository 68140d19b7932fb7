import { minorDigits, shareOf } from "@pro-talent/schemas/billing/money";
import {
  type ChargeTerms,
  returnedTaxes,
  type TaxLine,
  taxesOfLines,
} from "@pro-talent/schemas/billing/prices";
import type {
  DocumentFacts,
  DocumentLine,
  ShekelRate,
  ShekelValue,
} from "@pro-talent/schemas/invoices/document";
import type { InvoiceState, OwedDocument } from "@pro-talent/schemas/invoices/events";
import { dayIn } from "@pro-talent/schemas/primitives/calendar";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { InvoiceSettings } from "./settings.ts";

/** A seller in Israel needs a rate for this currency, and there is none. */
export class RateMissing extends Error {
  override readonly name = "RateMissing";
}

/** What the documents of a payment follow from: its stream when a document is owed. */
type Payment = Pick<InvoiceState, "invoice"> & {
  readonly charge: string;
  readonly account: string;
  readonly terms: ChargeTerms;
};

/**
 * What a document states, at the taxes and the rate of its payment: the documents of a payment that is
 * returned in parts add up to nothing in each of their amounts.
 * @throws RateMissing
 */
export function documentFacts(
  { charge, account, terms, invoice }: Payment,
  owed: OwedDocument,
  { language, settings }: { readonly language: Locale; readonly settings: InvoiceSettings },
): DocumentFacts {
  const { kind, amount, before, document } = owed;
  const isNote = kind === "credit-note";
  const { currency } = terms;
  const taxes = isNote
    ? returnedTaxes({ amount: terms.total, taxes: terms.taxes }, amount, before)
    : terms.taxes;
  const rate = isNote ? (invoice?.rate ?? null) : rateFor(currency, settings);
  return {
    document,
    kind,
    account,
    charge,
    language,
    seller: settings.seller,
    paidOn: dayIn(owed.since, settings.zone),
    lines: isNote ? [{ kind: "return", amount, tax: taxOf(taxes) }] : linesOf(terms),
    net: amount - taxOf(taxes),
    taxes,
    total: amount,
    currency,
    shekels: rate && shekelsOf(rate, { terms, amount, before }),
    corrects: isNote && invoice !== null ? correctedBy(invoice) : null,
    allocationNumber: null,
  };
}

const correctedBy = ({ document, label, issuedOn }: NonNullable<InvoiceState["invoice"]>) => ({
  document,
  label,
  issuedOn,
});

const taxOf = (taxes: readonly TaxLine[]): number =>
  taxes.reduce((sum, { amount }) => sum + amount, 0);

function linesOf(terms: ChargeTerms): readonly DocumentLine[] {
  const taxes = taxesOfLines(terms);
  return terms.lines.map((line, index) => ({
    ...line,
    tax: taxes.reduce((sum, ofLines) => sum + (ofLines[index] ?? 0), 0),
  }));
}

/** Samples are no bookkeeping: they do without. */
function rateFor(currency: string, { seller, rates }: InvoiceSettings): ShekelRate | null {
  if (seller.country !== "IL" || currency === "ILS") return null;
  const rate = rates.find((one) => one.currency === currency);
  if (rate === undefined && seller.taxId !== null) {
    throw new RateMissing(`INVOICE_SHEKEL_RATES has no rate for ${currency}`);
  }
  return rate ?? null;
}

/** Each amount is rounded once on what is stated up to it, so that parts add up to the whole. */
function shekelsOf(
  rate: ShekelRate,
  part: { readonly terms: ChargeTerms; readonly amount: number; readonly before: number },
): ShekelValue {
  const { terms, amount, before } = part;
  const upTo = (sum: number) => {
    const total = agorotOf(sum, rate);
    const tax =
      terms.total === 0 ? 0 : shareOf(agorotOf(taxOf(terms.taxes), rate), sum, terms.total);
    return { total, tax };
  };
  const [last, first] = [upTo(before + amount), upTo(before)];
  return { rate, total: last.total - first.total, tax: last.tax - first.tax };
}

/** An amount in minor units of the rate's currency in agorot, rounded once. */
export function agorotOf(amount: number, { currency, micros }: ShekelRate): number {
  return shareOf(amount, micros * 100, 1_000_000 * 10 ** minorDigits(currency));
}
