import {
  type DocumentKind,
  documentKinds,
  type Seller,
  ShekelRate,
} from "@pro-talent/schemas/invoices/document";
import type { Day } from "@pro-talent/schemas/primitives/calendar";
import { z } from "zod";

/** How the documents of one kind are numbered. */
type Numbering = { readonly id: string; readonly yearly: boolean };

const seriesFormat =
  /^(?<kind>[a-z-]+):(?<id>[A-Za-z][A-Za-z0-9]{0,9}):(?<period>continuous|yearly)$/;

/** `invoice:INV:yearly,credit-note:CRN:yearly`: every kind with a series of its own. */
const SeriesSettings = z.string().transform((text, context) => {
  const found = new Map<string, Numbering>();
  for (const part of text.split(",")) {
    const { kind = "", id = "", period } = seriesFormat.exec(part.trim())?.groups ?? {};
    found.set(kind, { id, yearly: period === "yearly" });
  }
  const ids = new Set([...found.values()].map(({ id }) => id.toLowerCase()));
  const [invoice, note] = documentKinds.map((kind) => found.get(kind));
  if (invoice !== undefined && note !== undefined && found.size === 2 && ids.size === 2) {
    return { invoice, "credit-note": note };
  }
  context.addIssue("must look like invoice:INV:yearly,credit-note:CRN:yearly");
  return z.NEVER;
});
type SeriesSettings = Readonly<Record<DocumentKind, Numbering>>;

/** The series of a document that is issued on a day; each year has one of its own if so configured. */
export function seriesOf(settings: SeriesSettings, kind: DocumentKind, on: Day) {
  const { id, yearly } = settings[kind];
  const name = yearly ? `${id}-${on.slice(0, 4)}` : id;
  return { id: name.toLowerCase(), prefix: `${name}-` };
}

const rateFormat =
  /^(?<currency>[A-Z]{3})=(?<rate>\d{1,6}(?:\.\d{1,6})?)@(?<on>\d{4}-\d{2}-\d{2})$/;

/** `USD=3.65@2026-11-20`: new shekels for one unit of a currency, and the day of that rate. */
const ShekelRates = z.string().transform((text, context) =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const { currency, rate, on } = rateFormat.exec(part.trim())?.groups ?? {};
      const micros = Math.round(Number(rate) * 1_000_000);
      const parsed = ShekelRate.safeParse({ currency, micros, on });
      if (parsed.success) return parsed.data;
      context.addIssue("must look like USD=3.65@2026-11-20");
      return z.NEVER;
    }),
);

/** What documents state of the seller, and how they are numbered. */
export const invoiceEnvironment = {
  /** The registered name; placeholders until it is set. */
  SELLER_NAME: z.string().min(1).max(200).default("Pro Talent (sample seller)"),
  SELLER_NAME_HE: z.string().min(1).max(200).default("Pro Talent (מוכר לדוגמה)"),
  SELLER_ADDRESS: z.string().min(1).max(300).default("Address not configured"),
  SELLER_ADDRESS_HE: z.string().min(1).max(300).default("הכתובת לא הוגדרה"),
  /** Number of the registration for taxes. Without one every document is marked as a sample. */
  SELLER_TAX_ID: z.string().max(40).default(""),
  /** ISO 3166-1. A seller in Israel states amounts in new shekels as well. */
  SELLER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default("IL"),
  /** Days and years of documents are those of this time zone. */
  SELLER_ZONE: z.string().refine(isZone, "must be a time zone").default("Asia/Jerusalem"),
  INVOICE_SERIES: SeriesSettings.prefault("invoice:INV:yearly,credit-note:CRN:yearly"),
  /** Rates of new shekels, of the day that each names; an invoice records the one that it used. */
  INVOICE_SHEKEL_RATES: ShekelRates.prefault(""),
};

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone }).format(0);
    return true;
  } catch {
    return false;
  }
}

/** What the issue of documents is configured with. */
export type InvoiceSettings = {
  readonly seller: Seller;
  readonly zone: string;
  readonly series: SeriesSettings;
  readonly rates: readonly ShekelRate[];
};

export function invoiceSettings(
  env: z.output<z.ZodObject<typeof invoiceEnvironment>>,
): InvoiceSettings {
  return {
    seller: {
      name: { en: env.SELLER_NAME, he: env.SELLER_NAME_HE },
      address: { en: env.SELLER_ADDRESS, he: env.SELLER_ADDRESS_HE },
      taxId: env.SELLER_TAX_ID === "" ? null : env.SELLER_TAX_ID,
      country: env.SELLER_COUNTRY,
    },
    zone: env.SELLER_ZONE,
    series: env.INVOICE_SERIES,
    rates: env.INVOICE_SHEKEL_RATES,
  };
}
