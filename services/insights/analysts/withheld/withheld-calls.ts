import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { internalWithheldCalls } from "@pro-talent/schemas/analysts/internal-work-calls";
import type { withheldCalls } from "@pro-talent/schemas/analysts/work-calls";

import type { AnalystsContext } from "../ask-as-analyst.ts";
import { answerTile, answerWithheld, refusalOf } from "./answer-tile.ts";

/** Results without small groups, for those who may see analytics. */
export function withheldHandlers(context: AnalystsContext): CallHandlers<typeof withheldCalls> {
  return {
    "POST /api/console/analyst/dashboards/:workId/tiles/:tileId": async (
      { params, body },
      { account },
    ) => {
      const tile = await context.tileOf(params, account);
      const asker = { analystId: account.accountId, channel: "dashboard" } as const;
      return await answerTile(context, asker, tile, body);
    },
    "POST /api/console/analyst/queries/withheld": ({ body }, { account: { accountId } }) =>
      answerWithheld(context, { analystId: accountId, channel: "console" }, body),
  };
}

/** The same for deliveries, which the ledger sends. */
export function internalWithheldHandlers(
  context: AnalystsContext,
): CallHandlers<typeof internalWithheldCalls> {
  return {
    "POST /internal/analyst-queries/withheld": ({ body }) => {
      const { accountId: analystId, channel, tile, ...run } = body;
      return answerTile(context, { analystId, channel }, tile, run);
    },
    "POST /internal/analyst-queries/check": async ({ body }) => ({
      refused: await refusalOf(context, body),
    }),
  };
}
