import { chargeTerms, type ChargeTerms } from "@pro-talent/schemas/billing/prices";
import {
  type IssuedDocument,
  IssuedDocument as Issued,
} from "@pro-talent/schemas/invoices/document";
import { Day } from "@pro-talent/schemas/primitives/calendar";

import type { StoredDocument } from "../invoices.ts";

const vat = { name: "VAT", basisPoints: 1800, country: "IL" };

/** An upgrade in the middle of a month: a plan, and a credit for what it replaces. */
export const upgradeTerms: ChargeTerms = chargeTerms(
  [
    {
      kind: "plan",
      plan: "premium",
      cycle: "monthly",
      from: "2026-11-22",
      to: "2026-12-12",
      amount: 1333,
    },
    {
      kind: "credit",
      plan: "essential",
      cycle: "monthly",
      from: "2026-11-22",
      to: "2026-12-12",
      amount: -667,
    },
  ],
  "USD",
  [vat],
);

const shekelRate = { currency: "USD", micros: 3_650_000, on: Day.parse("2026-11-20") };
const month = { plan: "premium", cycle: "monthly", from: "2026-11-22", to: "2026-12-22" } as const;
/** What is different where a launch discount of 20 % reduced the first month. */
export const discounted: Partial<IssuedDocument> = {
  lines: [
    { ...month, kind: "plan", amount: 2000, tax: 305 },
    { ...month, kind: "discount", percent: 20, amount: -400, tax: -61 },
  ],
  net: 1356,
  taxes: [{ ...vat, amount: 244 }],
  total: 1600,
  shekels: { rate: shekelRate, total: 5840, tax: 891 },
};

/** An invoice as an Israeli seller issues it, in dollars. */
export function sampleInvoice(change: Partial<IssuedDocument> = {}): StoredDocument {
  const issued = Issued.parse({
    document: "7d1f7f1e-8d0c-5b57-9a2e-0a3f1f6c1a01",
    kind: "invoice",
    account: "0b7d8c1a-3c5e-4f0a-9d52-6a8f1f2e3d04",
    charge: "2f6d0c5b-7a9e-4c1d-8b3a-5e4f6a7b8c90",
    language: "en",
    seller: {
      name: { en: "Pro Talent Ltd", he: "פרו טאלנט בע״מ" },
      address: {
        en: "12 Example Street\nTel Aviv 6100001, Israel",
        he: "רחוב הדוגמה 12\nתל אביב 6100001",
      },
      taxId: "516000000",
      country: "IL",
    },
    paidOn: "2026-11-22",
    lines: [
      { ...upgradeTerms.lines[0], tax: 203 },
      { ...upgradeTerms.lines[1], tax: -101 },
    ],
    net: 564,
    taxes: [{ ...vat, amount: 102 }],
    total: 666,
    currency: "USD",
    shekels: {
      rate: shekelRate,
      total: 2431,
      tax: 372,
    },
    corrects: null,
    allocationNumber: null,
    number: 42,
    label: "INV-2026-000042",
    issuedOn: "2026-11-22",
    ...change,
  });
  return { issued, buyer: { name: "נועה לוי", address: "הרצל 5, דירה 12\nחיפה" } };
}

/** The credit note that takes it back. */
export function sampleCreditNote(): StoredDocument {
  const invoice = sampleInvoice().issued;
  return sampleInvoice({
    document: "7d1f7f1e-8d0c-5b57-9a2e-0a3f1f6c1a02",
    kind: "credit-note",
    lines: [{ kind: "return", amount: 666, tax: 102 }],
    number: 3,
    label: "CRN-2026-000003",
    paidOn: Day.parse("2026-11-25"),
    issuedOn: Day.parse("2026-11-25"),
    corrects: { document: invoice.document, label: invoice.label, issuedOn: invoice.issuedOn },
  });
}
