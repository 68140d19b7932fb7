import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { internalInsightCalls } from "@pro-talent/schemas/insights/calls";
import { insightLimits as limit } from "@pro-talent/schemas/insights/limits";

import type { InsightsContext } from "./asking.ts";
import { linkOpens, openedLinks } from "./questions/opened-links.ts";
import { spanParams } from "./questions/owner-opens.ts";

const hourMs = 60 * 60 * 1000;

/** What other services ask for; what follows from the plan is theirs to decide. */
export function internalHandlers({
  questions,
  owners,
}: InsightsContext): CallHandlers<typeof internalInsightCalls> {
  return {
    "POST /internal/insights/opened": async ({ body }) => ({
      links: [...(await questions.now(openedLinks, spanParams(body)))],
    }),
    "POST /internal/insights/opens": async ({ body }) => {
      const { accountId, from, until } = body;
      const links = await owners.linksOf(accountId);
      const rows = await questions.ofOwner(accountId)(linkOpens, { links, ...spanParams(body) });
      const upTo = (Date.parse(until) - Date.parse(from)) / hourMs > limit.recognisedHours;
      return {
        hasAnalytics: await owners.mayRead(accountId),
        links: rows.map(({ people, ...row }) => ({ ...row, people: { count: people, upTo } })),
      };
    },
  };
}
