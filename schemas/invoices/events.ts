import { z } from "zod";

import { RefundKey } from "../billing/events.ts";
import { ChargeTerms } from "../billing/prices.ts";
import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { DocumentKind, IssuedDocument, ShekelRate } from "./document.ts";

const event = <const Type extends string, Shape extends z.ZodRawShape>(type: Type, data: Shape) =>
  z.object({ type: z.literal(type), data: z.object(data) });

/** How the mail of a document ended; `delayed` is tried again. */
export const mailResults = ["accepted", "refused", "uncertain", "unreachable", "delayed"] as const;
export const MailResult = z.enum(mailResults);
export type MailResult = z.infer<typeof MailResult>;

/** A document that must be issued. */
const Owed = {
  document: Uuid,
  kind: DocumentKind,
  /** In minor units: the payment, or what of it was returned. */
  amount: z.int().nonnegative(),
  /** What credit notes of this payment stated before, in minor units. */
  before: z.int().nonnegative(),
};

/**
 * Events of the documents of one payment (`invoice-<charge>`): an invoice when it succeeds, a credit note
 * for each return. Free of personal data: the buyer's name and address are sealed with `BuyerStated`.
 */
export const InvoiceEvent = z.discriminatedUnion("type", [
  /** A payment is intended: what its invoice will state. */
  event("PaymentNoted", { account: Uuid, terms: ChargeTerms }),
  event("RefundNoted", { refund: RefundKey, amount: z.int().positive() }),
  /** What of the payment is returned in all; less than before when a settled refund failed later. */
  event("ReturnRecorded", { returned: z.int().nonnegative(), refund: RefundKey.nullable() }),
  event("DocumentOwed", Owed),
  /** `known`: sealed beside it; false when the account was gone. */
  event("BuyerStated", { document: Uuid, language: Locale, known: z.boolean() }),
  event("IssueRecorded", {
    document: Uuid,
    label: z.string(),
    issuedOn: Day,
    rate: ShekelRate.nullable(),
  }),
  event("MailRecorded", { document: Uuid, result: MailResult }),
  /** The time for which the law keeps bookkeeping is over. */
  event("BuyerErased", {}),
]);
export type InvoiceEvent = z.infer<typeof InvoiceEvent>;

/** Events of a series of numbers (`series-<id>`): each is one document. */
export const SeriesEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("DocumentIssued"), data: IssuedDocument }),
]);
export type SeriesEvent = z.infer<typeof SeriesEvent>;

/** What the next number of a series depends on, however many there are. */
export const SeriesState = z
  .object({ last: z.int().nonnegative(), lastOn: Day.nullable() })
  .readonly();
export type SeriesState = z.infer<typeof SeriesState>;

const OwedDocument = z
  .object({ ...Owed, since: Instant, dueAt: Instant, stated: Locale.nullable() })
  .readonly();
export type OwedDocument = z.infer<typeof OwedDocument>;

const Refund = z
  .object({ refund: RefundKey, amount: z.int().positive(), settled: z.boolean() })
  .readonly();

const OwedMail = z
  .object({ document: Uuid, attempts: z.int().nonnegative(), dueAt: Instant })
  .readonly();

/** The documents of one payment. */
export const InvoiceState = z
  .object({
    account: Uuid.nullable(),
    terms: ChargeTerms.nullable(),
    /** Whether the payment has succeeded. */
    paid: z.boolean(),
    /** The invoice, once it is issued. */
    invoice: z
      .object({ document: Uuid, label: z.string(), issuedOn: Day, rate: ShekelRate.nullable() })
      .readonly()
      .nullable(),
    refunds: z.array(Refund).readonly(),
    /** Returned in all, and what credit notes state of it, in minor units. */
    returned: z.int().nonnegative(),
    credited: z.int().nonnegative(),
    notes: z.int().nonnegative(),
    owed: z.array(OwedDocument).readonly(),
    mails: z.array(OwedMail).readonly(),
    /** When the last document became due. */
    lastOwedAt: Instant.nullable(),
    lastIssueAt: Instant.nullable(),
    /** Whether a name or address is sealed. */
    sealed: z.boolean(),
    erasedAt: Instant.nullable(),
  })
  .readonly();
export type InvoiceState = z.infer<typeof InvoiceState>;
