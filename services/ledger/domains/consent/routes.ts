import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  ConsentDecisionAnswer,
  consentDecisionCalls,
  consentReceiptCalls,
} from "@pro-talent/schemas/consent/calls";
import type { FastifyInstance } from "fastify";

import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { decideConsent } from "./decide-consent.ts";
import { consentReceipts, findHistory, findReceipt } from "./read-models.ts";

/** The collector hands in decisions; a receipt's id is the right to read it. */
export async function addConsentRoutes(
  app: FastifyInstance,
  context: HttpContext,
  receiptsPerMinute: number,
): Promise<void> {
  await app.register(async (scope) => addDecisionCall(scope, context));
  await app.register(async (scope) => {
    // Ids cannot be guessed; the limit keeps clients from trying.
    await limitRate(scope, { reads: receiptsPerMinute });
    addReceiptCalls(scope, context);
  });
}

function addDecisionCall(app: FastifyInstance, context: HttpContext): void {
  addCalls(app, consentDecisionCalls, {
    "POST /internal/consent/decisions": async ({ body }, { request }) => {
      const issued = requestContext(context, request, "service:collector");
      const result = await decideConsent(context.ledger, body, issued).catch(unavailable);
      if (result.kind === "answer") return ConsentDecisionAnswer.parse(JSON.parse(result.reply));
      if (result.code !== "signal_cannot_grant") throw storeProblem(result.code);
      throw new ProblemError("invalid_body", {
        errors: [{ pointer: "/method", message: "A browser signal cannot grant consent" }],
      });
    },
  });
}

function addReceiptCalls(app: FastifyInstance, context: HttpContext): void {
  const { sql } = context.ledger;
  addCalls(app, consentReceiptCalls, {
    "GET /api/consent/receipts/:receiptId": ({ params }) =>
      findOrCatchUp(context, () => findReceipt(sql, params.receiptId)),
    "GET /api/consent/history/:receiptId": ({ params }) =>
      findOrCatchUp(context, () => findHistory(sql, params.receiptId)),
  });
}

/** The receipts follow the ledger a moment later: "not found" is answered only when they are current. */
async function findOrCatchUp<Found>(
  { catchUp }: HttpContext,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  let found = await find().catch(unavailable);
  if (found === undefined) {
    await catchUp(consentReceipts).catch(unavailable);
    found = await find().catch(unavailable);
  }
  if (found === undefined) throw new ProblemError("not_found");
  return found;
}
