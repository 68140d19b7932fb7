import {
  type DocumentDrawer,
  openDocumentDrawer,
} from "@pro-talent/platform/documents/draw-documents";
import { MailRefused, MailUncertain } from "@pro-talent/platform/mail/mailer";
import type { MailResult } from "@pro-talent/schemas/invoices/events";

import { contactsOver } from "../../contacts.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import { catchUp, followerOf } from "../../kernel/follow.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { drawDocument } from "./documents/draw-document.ts";
import {
  commandInvoice,
  destroyKeyTimer,
  eraseTimer,
  invoices,
  issueTimer,
  mailTimer,
  openDocument,
} from "./invoices.ts";
import { issueOwed } from "./issue.ts";
import { invoiceMail } from "./mails/invoice-mail.ts";
import { issuedDocuments } from "./series/series.ts";
import type { InvoiceSettings } from "./settings.ts";

/** Issues documents, mails them, and erases their buyers when they need not be kept any longer. */
export function invoiceTimerHandlers(
  context: WorkerContext,
  settings: InvoiceSettings,
): TimerHandlers {
  const { ledger, subjects, stopping } = context;
  const drawer = openDocumentDrawer();
  stopping.addEventListener("abort", () => void drawer.close());
  return {
    [issueTimer]: (charge, issued) => issueOwed(context, settings, charge, issued),
    [mailTimer]: (charge, issued) => mailDue(context, drawer, charge, issued),
    [eraseTimer]: async (charge, issued) => {
      await commandInvoice(ledger, charge, { type: "EraseBuyer" }, issued);
      const { state } = await loadState(ledger.sql, invoices, charge);
      if (state.erasedAt !== null) await subjects.shred(charge);
    },
    [destroyKeyTimer]: (charge) => subjects.shred(charge),
  };
}

async function mailDue(
  context: WorkerContext,
  drawer: DocumentDrawer,
  charge: string,
  issued: CommandContext,
): Promise<void> {
  const { ledger } = context;
  const { state } = await loadState(ledger.sql, invoices, charge);
  for (const { document, dueAt } of state.mails) {
    if (dueAt > issued.now) continue;
    const result = await mailDocument(context, drawer, document);
    await commandInvoice(ledger, charge, { type: "RecordMail", document, result }, issued);
  }
}

/**
 * Mails a document once: without an answer of the mail server it may have arrived, and each further
 * attempt may be a further copy of what is in the account as well.
 */
async function mailDocument(
  context: WorkerContext,
  drawer: DocumentDrawer,
  document: string,
): Promise<MailResult> {
  const { mailer, mailboxes, publicOrigin: origin } = context;
  await catchUp(followerOf(context.ledger.sql, issuedDocuments));
  const stored = await openDocument(context, document);
  if (stored === undefined) throw new Error("There is no such document");
  const contact = await contactsOver(context.accounts)(stored.issued.account);
  if (contact === undefined) return "unreachable";
  if ((await mailboxes.admit(contact.email, undefined)) !== "admitted") return "refused";
  const mail = invoiceMail(stored.issued, contact, {
    origin,
    pdf: await drawDocument(drawer, stored),
  });
  try {
    await mailer.send(mail);
    return "accepted";
  } catch (error) {
    if (error instanceof MailRefused) return "refused";
    return error instanceof MailUncertain ? "uncertain" : "delayed";
  }
}
