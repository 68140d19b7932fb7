import { z } from "zod";

import { Currency } from "../billing/money.ts";
import { signedIn } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { DocumentKind } from "./document.ts";

/** The account page on which documents are listed. */
export const invoicesPagePath = "/account/subscription";

const Listed = z.object({
  /** The number as it is printed. */
  label: z.string(),
  kind: DocumentKind,
  issuedOn: Day,
  /** In minor units, taxes included; positive for a credit note as well. */
  total: z.int(),
  currency: Currency,
});

const OwnDocument = Listed.extend({
  documentId: Uuid,
  language: Locale,
  /** The invoice that a credit note corrects. */
  corrects: z.string().nullable(),
});

const OneDocument = {
  access: signedIn,
  params: z.object({ documentId: Uuid }),
  query: z.object({
    /** That of its issue when absent. */
    language: Locale.optional(),
  }),
  answer: z.never(),
} as const;

const SeriesSummary = z.object({
  series: z.string(),
  kind: DocumentKind,
  documents: z.int(),
  lastNumber: z.int(),
  /** The first numbers that are missing: none, unless something is wrong. */
  missing: z.array(z.int()),
  /** In minor units, by currency. */
  totals: z.array(z.object({ currency: Currency, total: z.int(), tax: z.int() })),
});

/** Invoices and credit notes: an account holder's own, and what bookkeeping needs of all. */
export const invoiceCalls = defineCalls({
  "GET /api/invoices": {
    summary: "Lists the account's invoices and credit notes, the newest first",
    access: signedIn,
    answer: z.object({ documents: z.array(OwnDocument) }),
  },
  "GET /api/invoices/:documentId/pdf": {
    ...OneDocument,
    summary: "A document as PDF",
    file: "application/pdf",
  },
  "GET /api/invoices/:documentId/html": {
    ...OneDocument,
    summary: "A document as a page of its own, without scripts",
    file: "text/html",
  },
  "GET /api/console/invoices": {
    summary:
      "The series of numbers with their sums and gaps, and the newest documents, without names",
    access: { roles: ["administrator"] },
    answer: z.object({
      series: z.array(SeriesSummary),
      newest: z.array(Listed.extend({ tax: z.int() })),
      /** Payments whose document is owed and not issued yet. */
      owed: z.int(),
    }),
  },
});
