import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { legalChangeCalls, type OwnLegalChange } from "@pro-talent/schemas/legal-changes/calls";
import { dayIn } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { changesAnnounced, noticesOf } from "./changes.ts";
import { effectiveFor, versionFor, zone } from "./decider.ts";
import { acknowledge } from "./notify.ts";
import { acceptedBy } from "./recipients.ts";

/** The calls of account holders about the changes that were announced to them. */
export async function addLegalChangeRoutes(
  app: FastifyInstance,
  context: HttpContext,
): Promise<void> {
  const { ledger } = context;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, legalChangeCalls, {
    "GET /api/privacy/legal-changes": async (_input, { account }) => ({
      changes: await ownChanges(context, account.accountId).catch(unavailable),
    }),
    "POST /api/privacy/legal-changes/:changeId/acknowledgement": async (
      { params: { changeId } },
      { account: { accountId }, request },
    ) => {
      const issued = requestContext(context, request, `account:${accountId}`);
      const result = await acknowledge(ledger, { changeId, accountId }, issued).catch(unavailable);
      if (result.kind === "answer") return { status: "recorded" as const };
      if (result.code === "not-required" || result.code === "not-due")
        throw new ProblemError("not_found");
      throw storeProblem(result.code);
    },
  });
}

async function ownChanges(
  { ledger: { sql }, clock }: HttpContext,
  accountId: string,
): Promise<OwnLegalChange[]> {
  const [announced, notices, accepted] = await Promise.all([
    changesAnnounced(sql),
    noticesOf(sql, accountId),
    acceptedBy(sql, accountId),
  ]);
  const today = dayIn(instantFromMs(clock()), zone);
  const own = announced.flatMap((change) => {
    const notice = notices.find(({ changeId }) => changeId === change.changeId);
    return notice === undefined ? [] : [{ ...change, notice, effectiveOn: effectiveFor(notice) }];
  });
  return own.map(({ notice, ...change }) => ({
    ...change,
    appliesNow: versionFor(change.document, { accepted, own, today }),
    acknowledged: notice.acknowledgedOn !== null,
  }));
}
