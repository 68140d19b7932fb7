import type { InvoiceEvent, InvoiceState } from "@pro-talent/schemas/invoices/events";
import {
  type Instant,
  instantPlus,
  instantPlusMonths,
} from "@pro-talent/schemas/primitives/instant";

/** How long bookkeeping is kept: seven years (Income Tax Regulations, Account Books, section 25). */
export const keptMonths = 7 * 12;

export const noInvoice: InvoiceState = {
  account: null,
  terms: null,
  paid: false,
  invoice: null,
  refunds: [],
  returned: 0,
  credited: 0,
  notes: 0,
  owed: [],
  mails: [],
  lastOwedAt: null,
  lastIssueAt: null,
  sealed: false,
  erasedAt: null,
};

/** When the buyer of a payment's documents is erased; null when nothing is sealed, or work is left. */
export function eraseAt({ sealed, erasedAt, owed, lastIssueAt }: InvoiceState): Instant | null {
  if (!sealed || erasedAt !== null || owed.length > 0 || lastIssueAt === null) return null;
  return instantPlusMonths(lastIssueAt, keptMonths);
}

const minuteMs = 60_000;
/** After each attempt at a mail that the server delays; then again and again after the last. */
const mailWaitsMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs);

/** Later than the last time of its kind: a timer that is set to the same time again is not due again. */
function after(last: Instant | null, at: Instant): Instant {
  return last === null || at > last ? at : instantPlus(last, 1);
}

export function evolve(state: InvoiceState, event: InvoiceEvent, at: Instant): InvoiceState {
  switch (event.type) {
    case "PaymentNoted":
      return { ...state, ...event.data };
    case "RefundNoted":
      return { ...state, refunds: [...state.refunds, { ...event.data, settled: false }] };
    case "ReturnRecorded": {
      const { returned, refund } = event.data;
      const refunds = state.refunds.map((one) =>
        one.refund === refund ? { ...one, settled: !one.settled } : one,
      );
      return { ...state, returned, refunds };
    }
    case "DocumentOwed":
      return owed(state, event.data, at);
    case "BuyerStated": {
      const { document, language, known } = event.data;
      const stated = state.owed.map((one) =>
        one.document === document ? { ...one, stated: language } : one,
      );
      return { ...state, owed: stated, sealed: state.sealed || known };
    }
    case "IssueRecorded":
      return issued(state, event.data, at);
    case "MailRecorded":
      return mailed(state, event.data, at);
    case "BuyerErased":
      return { ...state, erasedAt: at };
  }
}

type DataOf<Type extends InvoiceEvent["type"]> = Extract<InvoiceEvent, { type: Type }>["data"];

function owed(state: InvoiceState, data: DataOf<"DocumentOwed">, at: Instant): InvoiceState {
  const dueAt = after(state.lastOwedAt, at);
  const isNote = data.kind === "credit-note";
  return {
    ...state,
    paid: true,
    credited: state.credited + (isNote ? data.amount : 0),
    notes: state.notes + (isNote ? 1 : 0),
    owed: [...state.owed, { ...data, since: at, dueAt, stated: null }],
    lastOwedAt: dueAt,
  };
}

function issued(state: InvoiceState, data: DataOf<"IssueRecorded">, at: Instant): InvoiceState {
  const { document } = data;
  const found = state.owed.find((one) => one.document === document);
  const dueAt = after(state.lastIssueAt, at);
  return {
    ...state,
    invoice: found?.kind === "invoice" ? data : state.invoice,
    owed: state.owed.filter((one) => one.document !== document),
    mails: [...state.mails, { document, attempts: 0, dueAt }],
    lastIssueAt: dueAt,
  };
}

function mailed(state: InvoiceState, data: DataOf<"MailRecorded">, at: Instant): InvoiceState {
  const { document, result } = data;
  const found = state.mails.find((one) => one.document === document);
  if (found === undefined) return state;
  const others = state.mails.filter((one) => one !== found);
  if (result !== "delayed") return { ...state, mails: others };
  const wait = mailWaitsMs[found.attempts] ?? mailWaitsMs.at(-1) ?? 0;
  const again = { document, attempts: found.attempts + 1, dueAt: instantPlus(at, wait) };
  return { ...state, mails: [...others, again] };
}
