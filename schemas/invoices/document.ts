import { z } from "zod";

import { Currency } from "../billing/money.ts";
import { DiscountLine, PlanLine, TaxLine } from "../billing/prices.ts";
import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";

/**
 * `invoice` is invoice and receipt in one, since it follows a payment; `credit-note` takes back a part of
 * an invoice, or all of it.
 */
export const documentKinds = ["invoice", "credit-note"] as const;
export const DocumentKind = z.enum(documentKinds);
export type DocumentKind = z.infer<typeof DocumentKind>;

const BothLanguages = z.object({ en: z.string().min(1), he: z.string().min(1) }).readonly();

/** Who sells, as documents state it. */
export const Seller = z
  .object({
    name: BothLanguages,
    address: BothLanguages,
    /** Number of the registration for taxes; null while there is none: documents are then samples. */
    taxId: z.string().min(1).max(40).nullable(),
    /** ISO 3166-1. */
    country: z.string().regex(/^[A-Z]{2}$/),
  })
  .readonly();
export type Seller = z.infer<typeof Seller>;

/** A rate to new shekels (ILS) for one unit of a currency, of a day. */
export const ShekelRate = z
  .object({
    currency: Currency,
    /** In millionths: 3650000 is 3.65. */
    micros: z.int().positive(),
    on: Day,
  })
  .readonly();
export type ShekelRate = z.infer<typeof ShekelRate>;

/** What an amount is in new shekels, in agorot. */
export const ShekelValue = z.object({ rate: ShekelRate, total: z.int(), tax: z.int() }).readonly();
export type ShekelValue = z.infer<typeof ShekelValue>;

/** A line with the part of the document's taxes that is its own; `amount` includes it. */
export const DocumentLine = z.discriminatedUnion("kind", [
  PlanLine.extend({ tax: z.int() }).readonly(),
  DiscountLine.extend({ tax: z.int() }).readonly(),
  /** A part of the corrected invoice that is returned. */
  z.object({ kind: z.literal("return"), amount: z.int(), tax: z.int() }).readonly(),
]);
export type DocumentLine = z.infer<typeof DocumentLine>;

/** The invoice that a credit note corrects. */
export const CorrectedInvoice = z
  .object({ document: Uuid, label: z.string().min(1).max(60), issuedOn: Day })
  .readonly();
export type CorrectedInvoice = z.infer<typeof CorrectedInvoice>;

/**
 * What a document states, without the buyer's name and address, which are sealed elsewhere. Amounts are in
 * minor units of the currency; those of a credit note are positive as well. `net` and the taxes add up
 * to `total`, and so do the lines.
 */
export const DocumentFacts = z
  .object({
    document: Uuid,
    kind: DocumentKind,
    account: Uuid,
    /** The payment that it is about. */
    charge: Uuid,
    /** The buyer's at issue. */
    language: Locale,
    seller: Seller,
    /** Of the payment, or of its return, in the seller's zone. */
    paidOn: Day,
    lines: z.array(DocumentLine).min(1).readonly(),
    net: z.int(),
    taxes: z.array(TaxLine).readonly(),
    total: z.int().nonnegative(),
    currency: Currency,
    /** Of a seller in Israel, when the currency is another one. */
    shekels: ShekelValue.nullable(),
    corrects: CorrectedInvoice.nullable(),
    /**
     * Number that the Israel Tax Authority allocates to an invoice for a buyer who is registered for VAT,
     * from a net amount of NIS 5,000 (since June 2026). Buyers here are private persons: none is needed.
     */
    allocationNumber: z
      .string()
      .regex(/^[0-9]{9}$/)
      .nullable(),
  })
  .readonly();
export type DocumentFacts = z.infer<typeof DocumentFacts>;

/** What is known of a document when it gets its number. */
const Issue = {
  /** From 1 in its series, without gaps. */
  number: z.int().positive(),
  /** The number as it is printed, as in `INV-2026-000042`. */
  label: z.string().min(1).max(60),
  /** In the seller's zone; never before that of an earlier number. */
  issuedOn: Day,
};

/** A document as it was issued; it never changes. */
export const IssuedDocument = DocumentFacts.unwrap().extend(Issue).readonly();
export type IssuedDocument = z.infer<typeof IssuedDocument>;

/** Name and address of the buyer, as a document shows them. */
export const Buyer = z.object({ name: z.string(), address: z.string() }).readonly();
export type Buyer = z.infer<typeof Buyer>;
