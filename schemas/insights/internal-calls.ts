import { z } from "zod";

import { FirstOpen } from "../links/webhook-events.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Count, People } from "./calls.ts";

/** For other services. */
export const internalInsightCalls = defineCalls({
  "POST /internal/insights/opened": {
    summary:
      "Links of all accounts that people opened between two instants, in the order of accounts",
    access: "internal",
    body: z.object({ from: Instant, until: Instant }),
    answer: z.object({
      links: z.array(z.object({ accountId: Uuid, linkId: Uuid, lastAt: Instant })),
    }),
  },
  "POST /internal/insights/opens": {
    summary: "Opens of an account's links between two instants, for digests and notices",
    access: "internal",
    body: z.object({ accountId: Uuid, from: Instant, until: Instant }),
    answer: z.object({
      links: z.array(
        z.object({
          linkId: Uuid,
          opens: Count,
          people: People,
          excluded: Count,
          firstAt: Instant,
          lastAt: Instant,
        }),
      ),
    }),
  },
  "POST /internal/insights/first-opens": {
    summary:
      "The first open of each of an account's links, of those first opened at or after an instant",
    access: "internal",
    body: z.object({ accountId: Uuid, since: Instant }),
    answer: z.object({ opens: z.array(FirstOpen) }),
  },
  "POST /internal/insights/held": {
    summary: "How many requests for each link of an account are stored, of deleted links too",
    access: "internal",
    body: z.object({ accountId: Uuid, until: Instant }),
    answer: z.object({ links: z.array(z.object({ linkId: Uuid, opens: Count })) }),
  },
  "GET /internal/insights/held/:accountId": {
    summary: "All of these requests, one in a line of JSON, the oldest first",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    query: z.object({ until: Instant }),
    file: "application/x-ndjson",
    answer: z.never(),
  },
});
