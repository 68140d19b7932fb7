import { z } from "zod";

import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { legalDocumentNames } from "../site/legal-documents.ts";

/** Days between the delivery of a notice and the change that it announces, at least. */
export const changeNoticeDays = 30;

export const legalChangeLimits = { summary: 1000 } as const;

const Summary = z.string().trim().min(1).max(legalChangeLimits.summary);

/** A material change of a document. The summary is public text without personal data. */
export const LegalChange = z.object({
  document: z.enum(legalDocumentNames),
  /** The version that the change leads to, named by the day before which it takes effect for no one. */
  version: Day,
  summary: z.object({ en: Summary, he: Summary }),
});
export type LegalChange = z.infer<typeof LegalChange>;

/** Events of a change (`legalchange-<changeId>`). */
export const LegalChangeEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ChangeAnnounced"), data: LegalChange }),
]);
export type LegalChangeEvent = z.infer<typeof LegalChangeEvent>;

/** Who accepted an earlier version: holders of accounts, and subscribers of the newsletter. */
export const changeRecipients = ["account", "subscriber"] as const;
export type ChangeRecipient = (typeof changeRecipients)[number];

const required = {
  changeId: Uuid,
  recipient: z.enum(changeRecipients),
  recipientId: Uuid,
  effectiveOn: Day,
};

/**
 * Events of the notice of one change to one recipient (`changenotice-<noticeId>`), free of personal data.
 * The attempts are timers that follow from them.
 */
export const ChangeNoticeEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ChangeNoticeRequired"),
    data: z.object(required),
  }),
  /** The mail server accepted it. */
  z.object({ type: z.literal("ChangeNoticeDelivered"), data: z.object({}) }),
  /** The mailbox accepts no mail. */
  z.object({ type: z.literal("ChangeNoticeRefused"), data: z.object({}) }),
  /** The mail server did not answer, or asked to try again. */
  z.object({ type: z.literal("ChangeNoticeDelayed"), data: z.object({}) }),
  /** A mail that counted as delivered came back. */
  z.object({ type: z.literal("ChangeNoticeReturned"), data: z.object({}) }),
  /** The holder of the account confirmed on its pages that they have read it. */
  z.object({ type: z.literal("ChangeAcknowledged"), data: z.object({}) }),
  z.object({
    type: z.literal("ChangeNoticeEnded"),
    data: z.object({
      /** Account or subscription ended; the address has an account; its mailbox wants no mail. */
      reason: z.enum(["gone", "has-account", "do-not-mail"]),
    }),
  }),
]);
export type ChangeNoticeEvent = z.infer<typeof ChangeNoticeEvent>;

/** What is known of a notice while there is its recipient. */
export const KnownChangeNotice = z.object({
  ...required,
  /** By mail, or acknowledged without one. */
  deliveredOn: Day.nullable(),
  acknowledgedOn: Day.nullable(),
  /** When it is tried next, unless it is delivered. */
  nextAt: Instant,
  /** Attempts that failed one after another, and whether the mailbox refused the last one. */
  failed: z.int(),
  refused: z.boolean(),
});
export type KnownChangeNotice = z.infer<typeof KnownChangeNotice>;
