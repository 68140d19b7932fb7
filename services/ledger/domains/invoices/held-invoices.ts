import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Day, startOfDay } from "@pro-talent/schemas/primitives/calendar";

import type { HeldSource } from "../../held.ts";
import { type Eraser, keptStep } from "../../kernel/erasers.ts";
import { documentView } from "./documents/document-view.ts";
import { drawDocument } from "./documents/draw-document.ts";
import { renderHtml } from "./documents/render-html.ts";
import { openDocument } from "./invoices.ts";

type Row = { readonly documentId: string; readonly label: string; readonly day: string };

const documentsOf = async (sql: Queryable, accountId: string): Promise<readonly Row[]> =>
  await sql<Row[]>`
    select document_id as "documentId", label, issued_on::text as day from ledger.issued_document
     where account_id = ${accountId} order by issued_on desc, pos desc`;

/** The documents of an account, and each as PDF and as page, in the language of its issue. */
export const invoicesHeld: HeldSource = {
  section: "invoices",
  collect: async function heldInvoices({ ledger }, { accountId }) {
    return (await documentsOf(ledger.sql, accountId)).map(({ label, day }) => [
      { field: "number", text: label },
      { field: "created-at", at: startOfDay(Day.parse(day), "UTC") },
    ]);
  },
  files: async function* filesOf(context, _store, { accountId }) {
    const drawer = openDocumentDrawer();
    try {
      for (const { documentId, label } of await documentsOf(context.ledger.sql, accountId)) {
        const stored = await openDocument(context, documentId, accountId);
        if (stored === undefined) continue;
        yield { name: `${label}.pdf`, content: await drawDocument(drawer, stored) };
        const html = renderHtml(documentView(stored));
        yield { name: `${label}.html`, content: Buffer.from(html) };
      }
    } finally {
      await drawer.close();
    }
  },
};

/** Nothing of them is erased: the law of bookkeeping keeps them. They are counted, so that it is said. */
export const invoicesEraser: Eraser = {
  step: keptStep,
  erase: async ({ ledger }, { accountId }) => {
    const kept = (await documentsOf(ledger.sql, accountId)).length;
    return { found: kept, left: 0, kept };
  },
};
