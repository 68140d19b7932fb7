import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  internalPortfolioReportCalls,
  portfolioModerationCalls,
} from "@pro-talent/schemas/portfolios/calls";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { requestContext, storeProblem, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { sendReaderMessage } from "../reader-messages/reader-messages.ts";
import type { PortfolioCommand } from "./decider.ts";
import { commandPortfolio, reportedPortfolios } from "./portfolios.ts";

const done = { status: "done" as const };
const received = { status: "received" as const };

/** Reports about portfolios, what administrators do about them, and messages of readers. */
export async function addPortfolioRoutes(
  app: FastifyInstance,
  context: HttpContext,
): Promise<void> {
  const { ledger } = context;
  const command = async (
    { accountId, actor, request }: { accountId: string; actor: string; request: FastifyRequest },
    issued: PortfolioCommand,
  ): Promise<void> => {
    const why = requestContext(context, request, actor);
    const result = await commandPortfolio(ledger, accountId, issued, why).catch(unavailable);
    if (result.kind === "refusal") throw storeProblem(result.code);
  };
  await app.register(async (scope) => {
    await limitRate(scope, { reads: context.readsPerMinute, writes: context.formsPerMinute });
    addCalls(scope, portfolioModerationCalls, {
      "GET /api/console/portfolios/reported": async () => ({
        portfolios: await reportedPortfolios(ledger.sql).catch(unavailable),
      }),
      "POST /api/console/portfolios/:accountId/take-down": async ({ params, body }, caller) => {
        const by = { ...params, actor: `account:${caller.account.accountId}` };
        const { request } = caller;
        await command({ ...by, request }, { type: "TakeDownPortfolio", reason: body.reason });
        return done;
      },
      "POST /api/console/portfolios/:accountId/reinstate": async ({ params }, caller) => {
        const by = { ...params, actor: `account:${caller.account.accountId}` };
        await command({ ...by, request: caller.request }, { type: "ReinstatePortfolio" });
        return done;
      },
    });
  });
  addCalls(app, internalPortfolioReportCalls, {
    "GET /internal/portfolios/:accountId": async ({ params: { accountId } }) => {
      const [row] = await reportedPortfolios(ledger.sql, accountId).catch(unavailable);
      return { takenDown: row?.takenDown ?? false };
    },
    "POST /internal/portfolios/:accountId/report": async ({ params, body }, { request }) => {
      const { reason } = body;
      await command({ ...params, actor: "visitor", request }, { type: "ReportPortfolio", reason });
      return received;
    },
    "POST /internal/portfolios/:accountId/messages": async ({ params, body }, { request }) => {
      const { messageId, language, ...words } = body;
      const message = { ...params, messageId, language, words };
      const why = requestContext(context, request, "visitor");
      const result = await sendReaderMessage(context, message, why).catch(unavailable);
      if (result.kind === "answer" || result.code === "message_sent") return received;
      throw storeProblem(result.code);
    },
  });
}
