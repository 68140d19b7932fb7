import { z } from "zod";

import { Email } from "../accounts/calls.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { QueuedRequest } from "./officer-calls.ts";

/**
 * An officer looked for the requests of an e-mail address (`lookup-<lookupId>`). The address is recorded
 * nowhere; the account, if there is one, is named so that misuse can be found.
 */
export const LookupEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("RequestsLookedUp"),
    data: z.object({
      officerId: Uuid,
      accountId: Uuid.nullable(),
      found: z.int().nonnegative(),
    }),
  }),
]);
export type LookupEvent = z.infer<typeof LookupEvent>;

export const lookupCalls = defineCalls({
  "POST /api/console/privacy/lookup": {
    summary: "The privacy requests of an e-mail address; each look-up is recorded",
    access: { roles: ["officer"] },
    body: z.object({ email: Email }),
    answer: z.object({ requests: z.array(QueuedRequest) }),
  },
});
