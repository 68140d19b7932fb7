import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { invoicesHeld } from "./held-invoices.ts";

const drawn = {
  fields: { buyer: "personal", amounts: "personal" },
  retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
  eraser: { by: "not-stored" },
  exporter: { by: "copy-of", asset: "ledger.issued_document" },
  scanner: { by: "not-stored" },
} as const;

/** Invoices and credit notes: kept as long as the books must be. */
export const invoicesDataMap = defineDataMap({
  activity: {
    id: "invoices",
    name: { en: "Invoices and credit notes", he: "חשבוניות והודעות זיכוי" },
    purpose: {
      en: "Issuing the documents that bookkeeping and tax law demand",
      he: "הפקת המסמכים שדיני ניהול הספרים והמס מחייבים",
    },
    basis: "legal-obligation",
    subjects: ["account-holders"],
    recipients: ["tax-authority", "mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.issued_document": {
        fields: { issued_on: "personal", label: "reference" },
        retention: {
          clock: "document-issued",
          after: { count: 7, unit: "year" },
          enforcedBy: { by: "timer", timer: "invoices.erase-buyer" },
        },
        eraser: { by: "law", law: "israel-bookkeeping" },
        exporter: { by: "code", code: invoicesHeld.collect, textsBy: "person" },
      },
    },
    mail: { "services/ledger/domains/invoices/mails/invoice-mail.ts": drawn },
    export: {
      "GET /api/invoices/:documentId/pdf": drawn,
      "GET /api/invoices/:documentId/html": drawn,
    },
  },
});
