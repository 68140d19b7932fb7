import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { insightProblems } from "@pro-talent/schemas/insights/calls";
import {
  openMailCalls,
  openMailProblems,
  openMailsOffCalls,
} from "@pro-talent/schemas/links/mail-calls";
import type { OpenMailPreference } from "@pro-talent/schemas/links/mail-events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import type { CommandContext } from "../../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import { addOneClicks, idOfToken } from "../../../off-tokens.ts";
import { includesOpens } from "../../../plans-in-use.ts";
import { commandMails, openMails, openMailsOff } from "./open-mails.ts";

/** The calls of account holders about their mails, and of the mail programs that turn them off. */
export async function addOpenMailRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  await app.register(async (scope) => {
    await limitRate(scope, { reads: context.readsPerMinute, writes: context.formsPerMinute });
    addCalls(scope, openMailCalls, {
      "GET /api/link-mails": (_input, { account }) =>
        preferenceOf(context, account.accountId, instantFromMs(context.clock())).catch(unavailable),
      "PUT /api/link-mails": async ({ body: { preference } }, { account, request }) => {
        const { accountId } = account;
        const issued = requestContext(context, request, `account:${accountId}`);
        await choose(context, accountId, preference, issued).catch(unavailable);
        return await preferenceOf(context, accountId, issued.now).catch(unavailable);
      },
    });
  });
  await app.register(async (scope) => addOffCall(scope, context));
}

function addOffCall(app: FastifyInstance, context: HttpContext): void {
  addOneClicks(app);
  addCalls(app, openMailsOffCalls, {
    "POST /api/link-mails/off": async ({ query: { token } }, { request }) => {
      const accountId = idOfToken(context, openMailsOff, token);
      if (accountId === undefined) throw new ProblemError(openMailProblems.open_mail_token_unknown);
      const issued = requestContext(context, request, `account:${accountId}`);
      await choose(context, accountId, "off", issued).catch(unavailable);
      return { status: "off" as const };
    },
  });
}

async function preferenceOf({ ledger: { sql } }: HttpContext, accountId: string, now: Instant) {
  const { preference } = (await loadState(sql, openMails, accountId)).state;
  return { preference, digestsIncluded: await includesOpens(sql, accountId, now) };
}

/** @throws ProblemError when the plan does not include it */
async function choose(
  context: HttpContext,
  accountId: string,
  preference: OpenMailPreference,
  issued: CommandContext,
): Promise<void> {
  const hasAnalytics = await includesOpens(context.ledger.sql, accountId, issued.now);
  const command = { type: "ChoosePreference", preference, hasAnalytics } as const;
  const result = await commandMails(context, accountId, command, issued);
  if (result.kind === "answer") return;
  if (result.code === "insights_not_included")
    throw new ProblemError(insightProblems.insights_not_included);
  throw storeProblem(result.code);
}
