import { addCalls } from "@pro-talent/platform/http/add-calls";
import { consentCalls } from "@pro-talent/schemas/analytics/calls";
import type {
  ConsentAnswer,
  ConsentMethod,
  SessionConsent,
} from "@pro-talent/schemas/analytics/wire";
import type { ConsentDecisionAnswer } from "@pro-talent/schemas/consent/calls";
import type { FastifyInstance } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { type CallParts, openSession } from "./call-parts.ts";
import { type TrackingSignal, trackingSignal } from "./consent/tracking-signal.ts";
import type { CountedDecision } from "./ingest/counters.ts";
import type { VisitSession } from "./visit-session.ts";

/** The consent call: answered only after the ledger has recorded the decision. */
export function addConsentDecision(app: FastifyInstance, parts: CallParts): void {
  addCalls(app, consentCalls, {
    "POST /api/analytics/session/consent": async ({ body }, { request }) => {
      const now = parts.clock();
      const session = openSession(parts, body.sessionId, now);
      const decided = decisionOf(body, trackingSignal(request.headers));
      const recorded = await parts.ledger.decide({
        // New for every call: after a change of mind the same decision is a new fact, and a repeated
        // decision that changes nothing leaves none.
        commandId: uuidV7({ msecs: now }),
        visitorId: session.visitorId,
        purpose: "analytics",
        decision: decided.decision,
        method: decided.method,
        notice: body.notice ?? null,
      });
      const counted = countedDecision(decided, recorded, session);
      if (decided.decision === "grant") {
        await parts.collection.storeStart(request, session);
        if (counted !== undefined) await parts.counters.decision(counted);
      } else if (counted !== undefined) {
        // A refusal never fails for lack of space: it requests that less be stored.
        await parts.counters.decision(counted).catch((error: unknown) => {
          parts.log.warn({ err: error }, "a refusal of consent could not be counted");
        });
      }
      parts.onAnswer("consent", "answered");
      return answerTo(decided, recorded);
    },
  });
}

type ConsentDecision = {
  decision: "grant" | "refuse";
  method: ConsentMethod;
  signal: TrackingSignal | undefined;
};

/**
 * What a consent call decides. A grant needs both `hasConsent` and `detailed`; anything else is a
 * refusal. A browser's tracking signal, in the request's headers or stated as the method, turns a
 * grant into a refusal, whatever was clicked. The specification's body has no method: then all was
 * accepted, or all was rejected.
 */
export function decisionOf(
  body: Pick<SessionConsent, "hasConsent" | "consentType" | "method">,
  requestSignal: TrackingSignal | undefined,
): ConsentDecision {
  const { method } = body;
  const signal = requestSignal ?? (method === "dnt" || method === "gpc" ? method : undefined);
  const wanted = body.hasConsent && body.consentType === "detailed";
  if (wanted && signal === undefined) {
    return { decision: "grant", method: method ?? "accept_all", signal };
  }
  const refusal = wanted ? signal : method;
  return { decision: "refuse", method: refusal ?? signal ?? "reject_all", signal };
}

function answerTo(decided: ConsentDecision, recorded: ConsentDecisionAnswer): ConsentAnswer {
  const receipt = recorded.receiptId === null ? {} : { receiptId: recorded.receiptId };
  if (decided.decision === "grant") return { analytics: "granted", ...receipt };
  return { analytics: "denied", reason: decided.signal ?? "no_consent", ...receipt };
}

/**
 * How a decision is counted. Clients repeat their choice at every start: what left no fact is
 * counted only when it is a refusal of a visitor without any fact, once per visit session.
 */
function countedDecision(
  { decision, method, signal }: ConsentDecision,
  recorded: ConsentDecisionAnswer,
  session: VisitSession,
): CountedDecision | undefined {
  const fact = recorded.recorded && recorded.receiptId !== null ? recorded.receiptId : undefined;
  if (decision === "grant") {
    return fact === undefined ? undefined : { label: "granted", method, once: fact };
  }
  if (fact !== undefined) return { label: signal ?? "withdrawn", method, once: fact };
  if (recorded.state !== "none") return undefined;
  return { label: signal ?? "rejected", method, once: `refused ${session.sessionId}` };
}
