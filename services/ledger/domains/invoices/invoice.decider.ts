import type { ChargeTerms } from "@pro-talent/schemas/billing/prices";
import type { ShekelRate } from "@pro-talent/schemas/invoices/document";
import type { InvoiceEvent, InvoiceState, MailResult } from "@pro-talent/schemas/invoices/events";
import type { Day } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { v5 as uuidV5 } from "uuid";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import { eraseAt, evolve, noInvoice } from "./invoice-state.decider.ts";

/** Commands that follow from billing; each names the payment by its key. */
export type PaymentCommand = { readonly charge: string } & (
  | { readonly type: "NotePayment"; readonly account: string; readonly terms: ChargeTerms }
  | { readonly type: "RecordPayment" }
  | { readonly type: "NoteRefund"; readonly refund: string; readonly amount: number }
  | { readonly type: "SettleRefund" | "FailRefund"; readonly refund: string }
  /** The provider returned so much in all. */
  | { readonly type: "ObserveReturn"; readonly returned: number }
);

/** Commands that follow from the work on a document that is owed. */
export type DocumentCommand = { readonly document: string } & (
  | {
      readonly type: "StateBuyer";
      readonly language: Locale;
      /** Name and address are sealed beside it. */
      readonly known: boolean;
    }
  | {
      readonly type: "RecordIssue";
      readonly label: string;
      readonly issuedOn: Day;
      readonly rate: ShekelRate | null;
    }
  | { readonly type: "RecordMail"; readonly result: MailResult }
);

export type InvoiceCommand = PaymentCommand | DocumentCommand | { readonly type: "EraseBuyer" };

export type InvoiceRefusalCode = "payment_unknown";

type Events = readonly InvoiceEvent[];

/** Namespace of the ids of documents: drawn at random once, fixed for ever. */
const documentNamespace = "6f0c2b52-9f57-4c06-8a55-1d7f0c5d3c1e";

/**
 * The documents of one payment: one invoice when it succeeds, and a credit note for whatever is returned
 * and not yet credited. A settled refund that fails later is still owed to the buyer: its credit note
 * stays, and the refund that replaces it leads to none.
 */
export const invoiceDecider: Decider<
  InvoiceState,
  InvoiceCommand,
  InvoiceEvent,
  InvoiceRefusalCode
> = { initialState: noInvoice, decide, evolve };

function decide(
  command: InvoiceCommand,
  state: InvoiceState,
  { now }: { readonly now: Instant },
): Events | Refusal<InvoiceRefusalCode> {
  if (command.type === "NotePayment") {
    const { account, terms } = command;
    return state.terms === null ? [{ type: "PaymentNoted", data: { account, terms } }] : [];
  }
  if (state.terms === null) return refuse("payment_unknown");
  if ("charge" in command) return decidePayment(command, state, state.terms);
  if ("document" in command) return decideDocument(command, state);
  const dueAt = eraseAt(state);
  return dueAt !== null && now >= dueAt ? [{ type: "BuyerErased", data: {} }] : [];
}

function decidePayment(
  command: Exclude<PaymentCommand, { type: "NotePayment" }>,
  state: InvoiceState,
  terms: ChargeTerms,
): Events {
  const { charge } = command;
  switch (command.type) {
    case "RecordPayment":
      if (state.paid) return [];
      return [invoiceOf(charge, terms), ...noteOf(charge, { ...state, paid: true })];
    case "NoteRefund": {
      const { refund, amount } = command;
      if (state.refunds.some((one) => one.refund === refund)) return [];
      return [{ type: "RefundNoted", data: { refund, amount } }];
    }
    case "SettleRefund":
    case "FailRefund": {
      const found = state.refunds.find(({ refund }) => refund === command.refund);
      const settles = command.type === "SettleRefund";
      if (found === undefined || found.settled === settles) return [];
      const returned = state.returned + (settles ? found.amount : -found.amount);
      return recordReturn(charge, state, { returned, refund: found.refund });
    }
    case "ObserveReturn":
      if (command.returned === state.returned) return [];
      return recordReturn(charge, state, { returned: command.returned, refund: null });
  }
}

function invoiceOf(charge: string, { total }: ChargeTerms): InvoiceEvent {
  const document = uuidV5(`invoice ${charge}`, documentNamespace);
  const data = { document, kind: "invoice", amount: total, before: 0 } as const;
  return { type: "DocumentOwed", data };
}

function recordReturn(
  charge: string,
  state: InvoiceState,
  data: { readonly returned: number; readonly refund: string | null },
): Events {
  const { returned } = data;
  return [{ type: "ReturnRecorded", data }, ...noteOf(charge, { ...state, returned })];
}

/** The credit note for what is returned of a payment and stated by none so far, if there is any. */
function noteOf(charge: string, { paid, terms, returned, credited, notes }: InvoiceState): Events {
  const amount = Math.min(returned, terms?.total ?? 0) - credited;
  if (!paid || amount <= 0) return [];
  const document = uuidV5(`credit-note ${charge} ${notes + 1}`, documentNamespace);
  const data = { document, kind: "credit-note", amount, before: credited } as const;
  return [{ type: "DocumentOwed", data }];
}

function decideDocument(command: DocumentCommand, { owed, mails }: InvoiceState): Events {
  const { document } = command;
  const found = owed.find((one) => one.document === document);
  switch (command.type) {
    case "StateBuyer": {
      const { language, known } = command;
      if (found === undefined || found.stated !== null) return [];
      return [{ type: "BuyerStated", data: { document, language, known } }];
    }
    case "RecordIssue": {
      const { label, issuedOn, rate } = command;
      if (found === undefined) return [];
      return [{ type: "IssueRecorded", data: { document, label, issuedOn, rate } }];
    }
    case "RecordMail": {
      const { result } = command;
      if (!mails.some((mail) => mail.document === document)) return [];
      return [{ type: "MailRecorded", data: { document, result } }];
    }
  }
}
