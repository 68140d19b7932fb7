import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import { insightLimits as limit } from "@pro-talent/schemas/insights/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { timeOf } from "./ask.ts";
import type { InsightsContext } from "./asking.ts";
import { exportOpens } from "./export-opens.ts";
import { firstOpens } from "./questions/first-opens.ts";
import { heldOpens, heldParams } from "./questions/held-opens.ts";
import { openedLinks } from "./questions/opened-links.ts";
import { filterParams, spanParams } from "./questions/owner-opens.ts";
import { totals } from "./questions/totals.ts";
import { totalsOf } from "./views.ts";

const hourMs = 60 * 60 * 1000;

/** What other services ask for; the plan is theirs to check. */
export function internalHandlers({
  questions,
  owners,
  clock,
}: InsightsContext): CallHandlers<typeof internalInsightCalls> {
  return {
    "POST /internal/insights/opened": async ({ body }) => ({
      links: [...(await questions.now(openedLinks, spanParams(body)))],
    }),
    "POST /internal/insights/opens": async ({ body }) => {
      const { accountId, from, until } = body;
      const links = await owners.linksOf(accountId);
      const middle = timeOf(from);
      const about = { links, middle, ...spanParams({ from, until }), ...filterParams({}) };
      const rows = await questions.ofOwner(accountId)(totals, about);
      const hours = (Date.parse(until) - Date.parse(from)) / hourMs;
      const upTo = hours > limit.recognisedHours;
      return {
        links: rows.flatMap(({ firstAt, lastAt, ...row }) => {
          if (firstAt === null || lastAt === null) return [];
          const { opens, people, excluded } = totalsOf([{ ...row, firstAt, lastAt }], { upTo });
          return [{ linkId: row.linkId, opens, people, excluded, firstAt, lastAt }];
        }),
      };
    },
    "POST /internal/insights/first-opens": async ({ body: { accountId, since } }) => {
      const links = await owners.linksOf(accountId);
      // All of the past is read: only so is it known which open was the first.
      const span = { from: instantFromMs(0), until: instantFromMs(clock()) };
      const about = { links, since: timeOf(since), ...spanParams(span) };
      const rows = await questions.ofOwner(accountId)(firstOpens, about);
      return {
        opens: rows.map(({ linkId, firstAt, firstCountry, firstDevice }) => ({
          linkId,
          at: firstAt,
          country: firstCountry === "" ? null : firstCountry,
          device: firstDevice,
        })),
      };
    },
    "POST /internal/insights/held": async ({ body: { accountId, until } }) => ({
      links: [...(await questions.now(heldOpens, heldParams(accountId, until)))],
    }),
    "GET /internal/insights/held/:accountId": async ({ params, query }) =>
      new FileAnswer(exportOpens(questions, params.accountId, query.until), "application/x-ndjson"),
  };
}
