import { minorDigits } from "@pro-talent/schemas/billing/money";
import type { DocumentLine, IssuedDocument } from "@pro-talent/schemas/invoices/document";
import { type Day, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { StoredDocument } from "../invoices.ts";
import { type DocumentTexts, documentTexts } from "./document-texts.ts";

/** `ltr`: an amount or a number, written from left to right in every language. */
type Value = { readonly text: string; readonly ltr: boolean };
type Fact = { readonly term: string; readonly value: Value };
type Party = {
  readonly heading: string;
  readonly name: string;
  readonly lines: readonly Value[];
};

/** A document as it is shown, in one language: every text in its place, amounts written out. */
export type DocumentView = {
  readonly language: Locale;
  readonly direction: "ltr" | "rtl";
  readonly title: string;
  /** Before the label. */
  readonly number: string;
  readonly label: string;
  readonly mark: string;
  readonly note: string | null;
  readonly seller: string;
  readonly facts: readonly Fact[];
  readonly parties: readonly Party[];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly description: string;
    /** Empty where there is none. */
    readonly period: string;
    readonly amounts: readonly string[];
  }[];
  readonly sums: readonly { readonly term: string; readonly amount: string }[];
  readonly total: { readonly term: string; readonly amount: string };
  readonly remarks: readonly string[];
  readonly shekels: { readonly heading: string; readonly facts: readonly Fact[] } | null;
  readonly footer: string;
  readonly page: readonly [string, string];
};

const ltr = (text: string): Value => ({ text, ltr: true });
const plain = (text: string): Value => ({ text, ltr: false });

/** The view of a stored document; pure, so that a document looks the same whenever it is drawn. */
export function documentView(
  { issued, buyer }: StoredDocument,
  language: Locale = issued.language,
): DocumentView {
  const texts = documentTexts[language];
  const { kind, seller, total, net, taxes, currency } = issued;
  const amount = (value: number) => decimal(value, minorDigits(currency));
  const money = (value: number) => `${amount(value)} ${currency}`;
  const { taxed, untaxed } = texts.titles[kind];
  const address = seller.address[language].split("\n").map(plain);
  const taxId = seller.taxId === null ? [] : [plain(`${texts.taxId}: ${seller.taxId}`)];
  return {
    language,
    direction: texts.direction,
    title: taxes.length > 0 ? taxed : untaxed,
    number: texts.number,
    label: issued.label,
    mark: seller.taxId === null ? texts.sample : texts.original,
    note: seller.taxId === null ? texts.sampleNote : null,
    seller: seller.name[language],
    facts: factsOf(issued, language),
    parties: [
      { heading: texts.seller, name: seller.name[language], lines: [...address, ...taxId] },
      {
        heading: texts.buyer,
        name: buyer === null ? texts.unknownBuyer : buyer.name,
        lines: (buyer?.address ?? "").split("\n").filter(Boolean).map(plain),
      },
    ],
    columns: Object.values(texts.columns),
    rows: issued.lines.map((line) => ({
      description: descriptionOf(line, texts),
      period: periodOf(line),
      amounts: [line.amount - line.tax, line.tax, line.amount].map(amount),
    })),
    sums: [
      { term: texts.net, amount: money(net) },
      ...taxes.map((tax) => ({
        term: texts.tax(texts.taxes[tax.name] ?? tax.name, percent(tax.basisPoints)),
        amount: money(tax.amount),
      })),
    ],
    total: { term: texts.total[kind], amount: money(total) },
    remarks: [
      ...(taxes.length > 0 ? [] : [texts.noTax]),
      texts.settled[kind](longDay(issued.paidOn, language)),
    ],
    shekels: shekelsOf(issued, language),
    footer: texts.computer,
    page: texts.page,
  };
}

function factsOf(issued: IssuedDocument, language: Locale): readonly Fact[] {
  const texts = documentTexts[language];
  const { kind, corrects, allocationNumber } = issued;
  const day = (on: Day) => plain(longDay(on, language));
  return [
    { term: texts.issued, value: day(issued.issuedOn) },
    { term: texts.paid[kind], value: day(issued.paidOn) },
    ...(corrects === null
      ? [{ term: texts.method, value: plain(texts.card) }]
      : [
          { term: texts.corrects, value: ltr(corrects.label) },
          { term: texts.correctedOn, value: day(corrects.issuedOn) },
        ]),
    ...(allocationNumber === null
      ? []
      : [{ term: texts.allocation, value: ltr(allocationNumber) }]),
  ];
}

function descriptionOf(line: DocumentLine, texts: DocumentTexts): string {
  if (line.kind === "return") return texts.returned;
  if (line.kind === "discount") return texts.discount(`${line.percent}%`);
  return texts.lines[line.kind](texts.plans[line.plan], texts.cycles[line.cycle]);
}

/** The first and the last day. */
function periodOf(line: DocumentLine): string {
  if (line.kind === "return") return "";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- days by their contract
  return `${shortDay(line.from as Day)} – ${shortDay(dayPlus(line.to as Day, -1))}`;
}

function shekelsOf({ shekels }: IssuedDocument, language: Locale): DocumentView["shekels"] {
  if (shekels === null) return null;
  const texts = documentTexts[language].shekels;
  const { rate, total, tax } = shekels;
  const micros = decimal(rate.micros, 6).replace(/0{1,4}$/, "");
  return {
    heading: texts.heading,
    facts: [
      { term: texts.total, value: ltr(`${decimal(total, 2)} ILS`) },
      { term: texts.tax, value: ltr(`${decimal(tax, 2)} ILS`) },
      { term: texts.rate, value: ltr(`1 ${rate.currency} = ${micros} ILS`) },
      { term: texts.on, value: plain(longDay(rate.on, language)) },
    ],
  };
}

/** `-1,234.50`: whole minor units with so many digits after the point. */
export function decimal(minor: number, digits: number): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  const fraction = digits === 0 ? "" : `.${text.slice(-digits)}`;
  return `${minor < 0 ? "-" : ""}${whole}${fraction}`;
}

const percent = (basisPoints: number): string =>
  `${decimal(basisPoints, 2).replace(/\.?0+$/, "")}%`;

const shortDay = (day: Day): string => day.split("-").toReversed().join(".");

/** `22 November 2026`, `22 בנובמבר 2026`. */
function longDay(day: Day, language: Locale): string {
  const locale = { en: "en-GB", he: "he-IL" }[language];
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}
