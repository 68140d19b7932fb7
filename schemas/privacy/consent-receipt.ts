import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";

/** What an account holder agrees to. */
export const consentSubjects = ["terms", "privacy", "auto-renewal", "newsletter"] as const;

/** A decision of an account's holder, with the text that was shown. */
export const OwnConsent = z.object({
  receiptId: Uuid,
  subject: z.enum(consentSubjects),
  decision: z.enum(["granted", "withdrawn"]),
  at: Instant,
  /** Of the text; null where the text has none, and for a withdrawal. */
  version: z.string().max(40).nullable(),
  language: Locale.nullable(),
});
export type OwnConsent = z.infer<typeof OwnConsent>;

/** Bound to each signature, so that no other signed document passes for a receipt. */
export const receiptPurpose = "consent receipt";

/** The signed part of a receipt. */
export const ConsentReceiptDocument = OwnConsent.extend({
  /** Null for a person without an account, who is known by an address alone. */
  accountId: Uuid.nullable(),
  /** SHA-256 of the text that was shown. */
  textHash: z.hash("sha256").nullable(),
  /** Place of the event in the ledger's hash chain, and the chain's hash there. */
  position: z.int().positive(),
  hash: z.hash("sha256"),
  keyId: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ConsentReceiptDocument = z.infer<typeof ConsentReceiptDocument>;
