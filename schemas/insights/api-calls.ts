import { z } from "zod";

import { ApiPage } from "../links/api-calls.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { insightProblems, OpenView } from "./calls.ts";
import { insightLimits as limit } from "./limits.ts";

/** For programs of account holders, with an access token. */
export const opensApiCalls = defineCalls({
  "GET /api/v1/opens": {
    summary:
      "A page of the opens of one link by people, the newest first; of another owner's link, as of one never opened",
    access: { scope: "opens:read" },
    query: ApiPage.extend({
      linkId: Uuid,
      limit: z.coerce.number().int().min(1).max(limit.listedMax).default(limit.listedMax),
      /** Days in UTC, both included. */
      from: Day,
      to: Day,
    }),
    answer: z.object({
      opens: z.array(
        OpenView.pick({
          openId: true,
          linkId: true,
          at: true,
          state: true,
          country: true,
          region: true,
          device: true,
          source: true,
          seconds: true,
          pages: true,
        }),
      ),
      nextCursor: z.string().nullable(),
    }),
    problems: [
      insightProblems.insights_not_included,
      insightProblems.insights_restricted,
      insightProblems.range_too_long,
    ],
  },
});
