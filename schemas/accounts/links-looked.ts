import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";

/** For the insights service: when account holders looked at the opens of their links. */
export const internalLookedCalls = defineCalls({
  "GET /internal/accounts/:accountId/looked": {
    summary: "When an account holder last looked at the opens of their links",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({
      /** At all of them together. */
      allAt: Instant.nullable(),
      links: z.array(z.object({ linkId: Uuid, at: Instant })),
    }),
  },
  "POST /internal/accounts/:accountId/looked": {
    summary: "An account holder looks at the opens of a link now, or of all links",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    body: z.object({ linkId: Uuid.nullable() }),
    answer: z.object({ status: z.literal("recorded") }),
  },
});
