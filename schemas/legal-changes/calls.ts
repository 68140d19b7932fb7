import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { LegalChange } from "./events.ts";

/** A change of terms or policy as it concerns the holder of an account. */
export const OwnLegalChange = LegalChange.extend({
  changeId: Uuid,
  /** The version that applies to them today; null where it is not known which one they accepted. */
  appliesNow: Day.nullable(),
  /** When the change takes effect for them; null while its notice is not delivered. */
  effectiveOn: Day.nullable(),
  acknowledged: z.boolean(),
});
export type OwnLegalChange = z.infer<typeof OwnLegalChange>;

/** For account holders: the changes that were announced to them. */
export const legalChangeCalls = defineCalls({
  "GET /api/privacy/legal-changes": {
    summary: "Changes of terms and privacy policy that were announced to the account",
    access: signedIn,
    answer: z.object({ changes: z.array(OwnLegalChange) }),
  },
  "POST /api/privacy/legal-changes/:changeId/acknowledgement": {
    summary: "Records that the holder has read about a change; repeated it changes nothing",
    access: signedIn,
    params: z.object({ changeId: Uuid }),
    body: z.object({}),
    answer: z.object({ status: z.literal("recorded") }),
  },
});
