import { requireInternalToken } from "@pro-talent/platform/http/internal-token";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import {
  ConsentDecisionAnswer,
  ConsentDecisionRequest,
  consentPaths,
} from "@pro-talent/schemas/consent/http";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { canonicalJson } from "../event-store/canonical-json.ts";
import type { EventStore } from "../event-store/event-store.ts";
import type { StoreRefusalCode } from "../event-store/handle-command.ts";
import type { Refusal } from "../event-store/types.ts";
import { unavailable } from "../event-store/unavailable.ts";
import { findHistory, findReceipt } from "./consent-history.projection.ts";
import { decideConsent } from "./decide-consent.ts";
import type { ConsentRefusalCode } from "./decider.ts";

export type ConsentRoutes = {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly internalToken: string;
  /** Brings the history up to everything recorded so far. */
  readonly catchUpHistory: () => Promise<void>;
};

/** `POST /internal/consent/decisions`, for the collector. */
export function addDecisionRoute(app: FastifyInstance, options: ConsentRoutes): void {
  requireInternalToken(app, options.internalToken);
  app.post(consentPaths.decisions, async (request, reply) => {
    const body = parseBody(ConsentDecisionRequest, request.body);
    const now = instantFromMs(options.clock());
    const outcome = await decideConsent(options.store, body, now).catch(unavailable);
    if (outcome.kind === "refusal") throw problemOf(outcome);
    return sendJson(reply, canonicalJson(ConsentDecisionAnswer.parse(JSON.parse(outcome.reply))));
  });
}

/** `GET /api/consent/receipts/:receiptId` and `/history/:receiptId`; the id is the right to them. */
export function addReceiptRoutes(app: FastifyInstance, options: ConsentRoutes): void {
  const { sql } = options.store;
  app.get(`${consentPaths.receipt}/:receiptId`, (request, reply) =>
    sendFound(request, reply, options, (receiptId) => findReceipt(sql, receiptId)),
  );
  app.get(`${consentPaths.history}/:receiptId`, (request, reply) =>
    sendFound(request, reply, options, (receiptId) => findHistory(sql, receiptId)),
  );
}

/**
 * Answers what `find` finds. The history follows the ledger a moment later, so "not there" is only
 * said after it has seen everything that was recorded before the question.
 */
async function sendFound(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ConsentRoutes,
  find: (receiptId: string) => Promise<object | undefined>,
): Promise<FastifyReply> {
  const receiptId = receiptIdParameter(request.params);
  let found = await find(receiptId).catch(unavailable);
  if (found === undefined) {
    await options.catchUpHistory().catch(unavailable);
    found = await find(receiptId).catch(unavailable);
  }
  if (found === undefined) throw new ProblemError("not_found");
  return sendJson(reply, canonicalJson(found));
}

function receiptIdParameter(params: unknown): string {
  const value =
    typeof params === "object" && params !== null && "receiptId" in params
      ? params.receiptId
      : undefined;
  const parsed = Uuid.safeParse(value);
  if (!parsed.success) throw new ProblemError("not_found");
  return parsed.data;
}

/** Receipts are personal to whoever holds the id: no cache on the way may keep them. */
function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(text);
}

function problemOf(refusal: Refusal<ConsentRefusalCode | StoreRefusalCode>): ProblemError {
  switch (refusal.code) {
    case "signal_cannot_grant":
      return new ProblemError("invalid_body", {
        errors: [{ pointer: "/method", message: "A browser signal cannot grant consent" }],
      });
    case "command_mismatch":
    case "version_conflict":
      return new ProblemError(refusal.code);
  }
}
