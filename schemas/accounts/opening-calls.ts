import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { AcceptedDocument } from "../site/accepted-document.ts";
import { Invitation } from "../waitlist/events.ts";

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
