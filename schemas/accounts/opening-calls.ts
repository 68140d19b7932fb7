import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { Invitation } from "../waitlist/events.ts";

/** Proof that a document was accepted: which one, as it was shown. */
export const AcceptedDocument = z.object({
  document: z.enum(["terms", "privacy"]),
  language: Locale,
  /** The day of its last update. */
  version: z.iso.date(),
  /** SHA-256 of its text. */
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** From the accounts service to the ledger. */
export const accountOpeningCalls = defineCalls({
  "POST /internal/account-openings": {
    summary: "Records that an account was opened; repeated it changes nothing",
    access: "internal",
    body: z.object({
      accountId: Uuid,
      acceptedAt: Instant,
      documents: z.array(AcceptedDocument).max(2),
      invitationId: Uuid.nullable(),
      discountPercent: Invitation.shape.discountPercent.default(0),
    }),
    answer: z.object({ status: z.literal("recorded") }),
  },
});
