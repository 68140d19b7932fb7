import { BillingEvent } from "@pro-talent/schemas/billing/events";
import { Buyer, type IssuedDocument } from "@pro-talent/schemas/invoices/document";
import { InvoiceEvent, type InvoiceState } from "@pro-talent/schemas/invoices/events";

import {
  type CommandContext,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { decodeEvent, defineEvents } from "../../kernel/events.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { defineProcess } from "../../kernel/processes.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import { eraseAt } from "./invoice-state.decider.ts";
import {
  type InvoiceCommand,
  invoiceDecider,
  type InvoiceRefusalCode,
  type PaymentCommand,
} from "./invoice.decider.ts";
import { seriesEvents } from "./series/series.ts";

/** The events of the documents of one payment. */
export const invoiceEvents = defineEvents("invoice", InvoiceEvent);

/** The buyer of one payment: erased alone, when its documents need not be kept any longer. */
export const invoiceBuyer: SubjectKind = "invoices.buyer";

export const issueTimer = "invoices.issue";
export const mailTimer = "invoices.mail";
export const eraseTimer = "invoices.erase-buyer";
export const destroyKeyTimer = "invoices.destroy-key";

export const invoices: StreamDefinition<
  InvoiceState,
  InvoiceCommand,
  InvoiceEvent,
  InvoiceRefusalCode
> = {
  events: invoiceEvents,
  decider: invoiceDecider,
  durableWith: "each append",
  reply: ({ owed, mails }) => ({ owed: owed.length, mails: mails.length }),
  timers,
  erasure: { events: ["BuyerErased"], timers: [eraseTimer] },
};

/** Documents and mails that are owed, one after another, and in the end the erasure of the buyer. */
function timers(state: InvoiceState): readonly Timer[] {
  const { owed, mails, erasedAt } = state;
  const mailAt = mails.map(({ dueAt }) => dueAt).toSorted()[0];
  const endsAt = eraseAt(state);
  return [
    ...(owed[0] === undefined ? [] : [{ name: issueTimer, dueAt: owed[0].dueAt }]),
    ...(mailAt === undefined ? [] : [{ name: mailTimer, dueAt: mailAt }]),
    ...(endsAt === null ? [] : [{ name: eraseTimer, dueAt: endsAt }]),
    ...(erasedAt === null ? [] : [{ name: destroyKeyTimer, dueAt: erasedAt }]),
  ];
}

/** Payments and refunds lead to documents, each once: by the process's command, and by their keys. */
export const followPayments = defineProcess({
  name: "invoices.follow-payments",
  reads: { category: "billing", contract: BillingEvent },
  stream: invoices,
  react: ({ id: account, event }) => {
    const command = commandAfter(account, event);
    return command && { id: command.charge, command };
  },
});

function commandAfter(account: string, { type, data }: BillingEvent): PaymentCommand | undefined {
  switch (type) {
    case "CheckoutOpened": {
      const { checkout: charge, terms } = data;
      return terms === null ? undefined : { type: "NotePayment", charge, account, terms };
    }
    case "ChargeIntended":
      return { type: "NotePayment", charge: data.charge, account, terms: data.terms };
    case "ChargeSucceeded":
      return { type: "RecordPayment", charge: data.charge };
    case "RefundIntended": {
      const { refund, charge, amount } = data;
      return { type: "NoteRefund", refund, charge, amount };
    }
    case "RefundSettled":
      return { type: "SettleRefund", refund: data.refund, charge: chargeOf(data.refund) };
    case "RefundFailed":
      return { type: "FailRefund", refund: data.refund, charge: chargeOf(data.refund) };
    case "RefundObserved":
      return { type: "ObserveReturn", charge: data.charge, returned: data.returned };
    default:
      return undefined;
  }
}

/** The key of a refund is that of its charge, and a number. */
const chargeOf = (refund: string): string => refund.slice(0, refund.lastIndexOf("."));

/** Carries out a command on the documents of a payment, whose buyer may be sealed with it. */
export async function commandInvoice(
  ledger: Ledger,
  charge: string,
  command: InvoiceCommand,
  context: CommandContext,
): Promise<void> {
  const request = { id: charge, command, body: command, ...context };
  const result = await runCommand(ledger, invoices, request);
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
}

/** A document as it was issued, and its buyer while that is kept. */
export type StoredDocument = { readonly issued: IssuedDocument; readonly buyer: Buyer | null };

/** @returns undefined when there is no such document, or it belongs to another account */
export async function openDocument(
  context: Pick<LedgerContext, "ledger" | "subjects">,
  document: string,
  account?: string,
): Promise<StoredDocument | undefined> {
  const { sql } = context.ledger;
  const [row] = await sql<{ type: string; schema_version: number; data: string }[]>`
    select e.type, e.schema_version, e.data from ledger.issued_document d
      join ledger.event e on e.stream = 'series-' || d.series and e.version = d.number
     where d.document_id = ${document}`;
  if (row === undefined) return undefined;
  const { type, schema_version: schemaVersion, data } = row;
  const issued = decodeEvent(seriesEvents, { type, schemaVersion, data }).data;
  if (account !== undefined && issued.account !== account) return undefined;
  return { issued, buyer: await buyerOf(context, issued.charge, document) };
}

/** The buyer as sealed for a document, or for the newest one of its payment; null if there is none. */
export async function buyerOf(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  charge: string,
  document: string | null,
): Promise<Buyer | null> {
  const [row] = await ledger.sql<{ key_id: string; sealed: Buffer }[]>`
    select key_id, sealed from ledger.event
     where stream = ${invoiceEvents.streamOf(charge)} and type = 'BuyerStated'
       and sealed is not null and data::jsonb ->> 'document' = coalesce(${document}, data::jsonb ->> 'document')
     order by version desc limit 1`;
  const subject = row === undefined ? undefined : await subjects.find(row.key_id);
  return row === undefined || subject === undefined ? null : subject.open(row.sealed, Buyer);
}
