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
  /** The version that the change leads to, named by its day. */
  version: Day,
  /** The change takes effect for no account before then. */
  effectiveOn: Day,
  summary: z.object({ en: Summary, he: Summary }),
});
export type LegalChange = z.infer<typeof LegalChange>;

/** Events of a change (`legalchange-<changeId>`). */
export const LegalChangeEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ChangeAnnounced"), data: LegalChange }),
]);
export type LegalChangeEvent = z.infer<typeof LegalChangeEvent>;

/**
 * Events of the notice of one change to one account (`changenotice-<noticeId>`), free of personal data.
 * The attempts are timers that follow from them.
 */
export const ChangeNoticeEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ChangeNoticeRequired"),
    data: z.object({ changeId: Uuid, accountId: Uuid, effectiveOn: Day }),
  }),
  /** The mail server accepted it. */
  z.object({ type: z.literal("ChangeNoticeDelivered"), data: z.object({}) }),
  /** The mailbox accepts no mail. */
  z.object({ type: z.literal("ChangeNoticeRefused"), data: z.object({}) }),
  /** The mail server did not answer, or asked to try again. */
  z.object({ type: z.literal("ChangeNoticeDelayed"), data: z.object({}) }),
  /** A mail that counted as delivered came back. */
  z.object({ type: z.literal("ChangeNoticeReturned"), data: z.object({}) }),
  /** The account is closed. */
  z.object({ type: z.literal("ChangeNoticeEnded"), data: z.object({}) }),
]);
export type ChangeNoticeEvent = z.infer<typeof ChangeNoticeEvent>;

/** What is known of a notice while its account is open. */
export const KnownChangeNotice = z.object({
  changeId: Uuid,
  accountId: Uuid,
  effectiveOn: Day,
  deliveredOn: Day.nullable(),
  /** When it is tried next, unless it is delivered. */
  nextAt: Instant,
  /** Attempts that failed one after another, and whether the mailbox refused the last one. */
  failed: z.int(),
  refused: z.boolean(),
});
export type KnownChangeNotice = z.infer<typeof KnownChangeNotice>;
