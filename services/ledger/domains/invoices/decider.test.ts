import type { InvoiceEvent, SeriesEvent } from "@pro-talent/schemas/invoices/events";
import { Day } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { invoiceDecider } from "./invoice.decider.ts";
import { invoiceEvents, invoices } from "./invoices.ts";
import { seriesDecider } from "./series/series.decider.ts";
import { seriesEvents } from "./series/series.ts";
import { account, Bookkeeping, charge, monthTerms } from "./testing/bookkeeping.ts";
import { sampleInvoice } from "./testing/samples.ts";

const given = specification(invoiceDecider);
const terms = monthTerms(1000);
const refund = `${charge}.1`;
const again = `${charge}.2`;
const noted: InvoiceEvent = { type: "PaymentNoted", data: { account, terms } };
const refundNoted: InvoiceEvent = { type: "RefundNoted", data: { refund, amount: 400 } };
const returned = (amount: number, of: string | null = refund): InvoiceEvent => ({
  type: "ReturnRecorded",
  data: { returned: amount, refund: of },
});
const pays = { type: "RecordPayment", charge } as const;
const settles = { type: "SettleRefund", charge, refund } as const;

/** The documents that are owed. */
const owedIn = (book: Bookkeeping) =>
  book.state.owed.map(({ kind, amount, before }) => [kind, amount, before]);

describe("a payment", () => {
  it("that succeeds leads to exactly one invoice, however often it is reported", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    expect(owedIn(book)).toEqual([]);
    book.do(pays);
    book.do(pays);
    expect(owedIn(book)).toEqual([["invoice", 1000, 0]]);
  });

  it("that is not known leads to nothing", () => {
    given([]).when(pays).thenRefuses("payment_unknown");
  });

  it("is noted with the terms of its intent, and keeps them", () => {
    const other = monthTerms(5);
    given([]).when({ type: "NotePayment", charge, account, terms }).then([noted]);
    given([noted])
      .when({ type: "NotePayment", charge, account, terms: other })
      .thenNothingChanges();
  });
});

describe("a refund", () => {
  it("leads to exactly one credit note when it is settled, after its invoice", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do(pays);
    book.do({ type: "NoteRefund", charge, refund, amount: 400 });
    book.do(settles);
    book.do(settles);
    expect(owedIn(book)).toEqual([
      ["invoice", 1000, 0],
      ["credit-note", 400, 0],
    ]);
  });

  it("that fails after it was settled is still owed: its replacement leads to no second note", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do(pays);
    book.do({ type: "NoteRefund", charge, refund, amount: 400 });
    book.do(settles);
    book.do({ type: "FailRefund", charge, refund });
    book.do({ type: "NoteRefund", charge, refund: again, amount: 400 });
    book.do({ type: "SettleRefund", charge, refund: again });
    expect(owedIn(book)).toEqual([
      ["invoice", 1000, 0],
      ["credit-note", 400, 0],
    ]);
    expect(book.state.returned).toBe(400);
  });

  it("that the provider made beside ours is credited for what is new, at most the payment", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do(pays);
    book.do({ type: "ObserveReturn", charge, returned: 300 });
    book.do({ type: "ObserveReturn", charge, returned: 300 });
    book.do({ type: "ObserveReturn", charge, returned: 1200 });
    expect(owedIn(book).slice(1)).toEqual([
      ["credit-note", 300, 0],
      ["credit-note", 700, 300],
    ]);
  });

  it("that fails before it is settled, or is not known, changes nothing", () => {
    given([noted, refundNoted]).when({ type: "FailRefund", charge, refund }).thenNothingChanges();
    given([noted]).when(settles).thenNothingChanges();
    given([noted, refundNoted])
      .when({ type: "NoteRefund", charge, refund, amount: 9 })
      .thenNothingChanges();
  });

  it("before its payment is known to have succeeded waits for the invoice", () => {
    given([noted, refundNoted])
      .when(settles)
      .then([returned(400)]);
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do({ type: "ObserveReturn", charge, returned: 1000 });
    book.do(pays);
    expect(owedIn(book)).toEqual([
      ["invoice", 1000, 0],
      ["credit-note", 1000, 0],
    ]);
  });
});

describe("the buyer", () => {
  it("is stated once for each document, and erased seven years after the last", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do(pays);
    const [owed] = book.state.owed;
    const states = { type: "StateBuyer", document: owed?.document ?? "", known: true } as const;
    book.do({ ...states, language: "he" });
    book.do({ ...states, language: "en" });
    expect(book.state.owed[0]?.stated).toBe("he");
    book.issue();
    const erasing = invoices.timers?.(book.state, { id: charge });
    const name = "invoices.erase-buyer";
    expect(erasing).toContainEqual({ name, dueAt: "2033-11-22T12:00:00.000Z" });
    book.do({ type: "EraseBuyer" });
    expect(book.state.erasedAt).toBeNull();
    book.now = instantFromMs(Date.UTC(2033, 10, 22, 12));
    book.do({ type: "EraseBuyer" });
    expect(book.state.erasedAt).toBe(book.now);
  });
});

describe("the mail of a document", () => {
  it("is tried again later and later while it is delayed, until it is accepted", () => {
    const book = new Bookkeeping();
    book.do({ type: "NotePayment", charge, account, terms });
    book.do(pays);
    book.issue();
    const [{ document } = { document: "" }] = book.documents;
    const waits = Array.from({ length: 7 }, () => {
      book.do({ type: "RecordMail", document, result: "delayed" });
      return (Date.parse(book.state.mails[0]?.dueAt ?? "") - Date.parse(book.now)) / 60_000;
    });
    expect(waits).toEqual([1, 5, 30, 120, 720, 720, 720]);
    book.do({ type: "RecordMail", document, result: "accepted" });
    expect(book.state.mails).toEqual([]);
  });
});

describe("a series", () => {
  const { number: _number, label: _label, issuedOn: _issuedOn, ...facts } = sampleInvoice().issued;
  const issued = (number: number, on: string): SeriesEvent => ({
    type: "DocumentIssued",
    data: {
      ...facts,
      number,
      label: `INV-${String(number).padStart(6, "0")}`,
      issuedOn: Day.parse(on),
    },
  });
  const given = specification(seriesDecider);
  const issue = (on: string) =>
    ({ type: "IssueDocument", facts, on: Day.parse(on), prefix: "INV-" }) as const;

  it("begins with 1 and gives the next number", () => {
    given([])
      .when(issue("2026-11-22"))
      .then([issued(1, "2026-11-22")]);
    given([issued(1, "2026-11-22")])
      .when(issue("2026-11-23"))
      .then([issued(2, "2026-11-23")]);
  });

  it("never goes back in time, whatever a worker's clock shows", () => {
    given([issued(1, "2026-11-22")])
      .when(issue("2026-11-20"))
      .then([issued(2, "2026-11-22")]);
  });

  it("gives no number to a document whose amounts do not add up", () => {
    const wrong = { ...issue("2026-11-22"), facts: { ...facts, net: facts.net + 1 } };
    given([]).when(wrong).thenRefuses("sums_differ");
  });
});

it("every event that was ever stored changes a state", () => {
  const here = import.meta.dirname;
  expect([
    ...ignoredFixtures(`${here}/fixtures`, invoiceEvents, invoiceDecider),
    ...ignoredFixtures(`${here}/series/fixtures`, seriesEvents, seriesDecider),
  ]).toEqual([]);
});
