import { openDocumentDrawer } from "@pro-talent/platform/documents/draw-documents";
import { addCalls, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import { DocumentKind } from "@pro-talent/schemas/invoices/document";
import { Day } from "@pro-talent/schemas/primitives/calendar";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { documentView } from "./documents/document-view.ts";
import { drawDocument } from "./documents/draw-document.ts";
import { documentPolicy, renderHtml } from "./documents/render-html.ts";
import { type StoredDocument, openDocument } from "./invoices.ts";
import { bookkeepingOverview } from "./series/overview.ts";
import { issuedDocuments } from "./series/series.ts";

/** A row of a list, as the database gives it. */
const ListRow = z.object({
  documentId: z.string(),
  label: z.string(),
  kind: DocumentKind,
  issuedOn: Day,
  total: z.int(),
  currency: z.string(),
  language: Locale,
  corrects: z.string().nullable(),
});

/** An account holder's documents, in any language of the product, and the overview of all series. */
export async function addInvoiceRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  const { ledger, readsPerMinute, catchUp } = context;
  await limitRate(app, { reads: readsPerMinute });
  const drawer = openDocumentDrawer();
  app.addHook("onClose", () => drawer.close());
  const documentOf = async (documentId: string, accountId: string): Promise<StoredDocument> => {
    await catchUp(issuedDocuments).catch(unavailable);
    const stored = await openDocument(context, documentId, accountId).catch(unavailable);
    if (stored === undefined) throw new ProblemError("not_found");
    return stored;
  };
  addCalls(app, invoiceCalls, {
    "GET /api/invoices": async (_input, { account }) => {
      await catchUp(issuedDocuments).catch(unavailable);
      const rows = await ledger.sql<object[]>`
        select document_id as "documentId", label, kind, issued_on as "issuedOn", total, currency,
               language, corrects
          from ledger.issued_document where account_id = ${account.accountId}
         order by issued_on desc, pos desc`;
      return { documents: z.array(ListRow).parse(rows) };
    },
    "GET /api/invoices/:documentId/pdf": async ({ params, query }, { account }) => {
      const stored = await documentOf(params.documentId, account.accountId);
      const pdf = await drawDocument(drawer, stored, query.language);
      return new FileAnswer(pdf, "application/pdf", `${stored.issued.label}.pdf`);
    },
    "GET /api/invoices/:documentId/html": async ({ params, query }, { account, reply }) => {
      const stored = await documentOf(params.documentId, account.accountId);
      reply.header("content-security-policy", documentPolicy);
      reply.header("cache-control", "private, no-store");
      const html = renderHtml(documentView(stored, query.language));
      return new FileAnswer(Buffer.from(html), "text/html");
    },
    "GET /api/console/invoices": async () => {
      await catchUp(issuedDocuments).catch(unavailable);
      return await bookkeepingOverview(ledger.sql).catch(unavailable);
    },
  });
}
