import { parseBody } from "@pro-talent/platform/http/parse-body";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import {
  analyticsPaths,
  type ConsentAnswer,
  type ConsentMethod,
  SessionConsent,
} from "@pro-talent/schemas/analytics/wire";
import type { ConsentDecisionAnswer } from "@pro-talent/schemas/consent/calls";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import type { SessionFacts } from "../session-facts.ts";
import { type ConsentDecision, decisionOf } from "./consent-decision.ts";
import type { LedgerClient } from "./ledger-client.ts";
import { type TrackingSignal, trackingSignal } from "./tracking-signals.ts";

/** A decision as it is counted; `once` is the same for repeats of one decision. */
export type DecisionCount = {
  label: "granted" | "withdrawn" | "rejected" | TrackingSignal;
  method: ConsentMethod;
  once: string;
};

export type ConsentPorts = {
  clock: Clock;
  ledger: LedgerClient;
  /** @throws ProblemError `rate_limited` */
  admit: (address: string) => void;
  /** @throws ProblemError `unknown_session` */
  openSession: (sessionId: string, nowMs: number) => SessionFacts;
  /** After a grant: what may be stored of the session's start from now on. */
  onGranted: (request: FastifyRequest, session: SessionFacts) => Promise<void>;
  onCounted: (count: DecisionCount) => Promise<void>;
  /** A refusal is in force although its anonymous number could not be written. */
  onUncounted: (error: unknown) => void;
  onAnswered: () => void;
};

/** `POST /api/analytics/session/consent`: answered only after the ledger has recorded it. */
export function addConsentRoutes(app: FastifyInstance, ports: ConsentPorts): void {
  app.post(analyticsPaths.sessionConsent, async (request, reply) => {
    ports.admit(request.ip);
    const body = parseBody(SessionConsent, request.body);
    const now = ports.clock();
    const session = ports.openSession(body.sessionId, now);
    const decision = decisionOf(body, trackingSignal(request.headers));
    const recorded = await ports.ledger.decide({
      // New for every call: after a change of mind the same decision is a new fact, and a repeated
      // decision that changes nothing leaves none.
      commandId: uuidV7({ msecs: now }),
      visitorId: session.visitorId,
      purpose: "analytics",
      decision: decision.decision,
      method: decision.method,
      notice: body.notice ?? null,
    });
    const count = decisionCount(decision, recorded, session);
    if (decision.decision === "grant") {
      await ports.onGranted(request, session);
      if (count !== undefined) await ports.onCounted(count);
    } else if (count !== undefined) {
      // A refusal never fails for want of space: it asks that less be stored.
      await ports.onCounted(count).catch(ports.onUncounted);
    }
    ports.onAnswered();
    return reply.header("cache-control", "no-store").send(answerTo(decision, recorded));
  });
}

function answerTo(decision: ConsentDecision, recorded: ConsentDecisionAnswer): ConsentAnswer {
  const receipt = recorded.receiptId === null ? {} : { receiptId: recorded.receiptId };
  if (decision.decision === "grant") return { analytics: "granted", ...receipt };
  return { analytics: "denied", reason: decision.signal ?? "no_consent", ...receipt };
}

/**
 * How a decision is counted. Clients repeat their choice at every start: what left no fact is
 * counted only when it is a refusal by someone about whom nothing is known, once per session.
 */
function decisionCount(
  { decision, method, signal }: ConsentDecision,
  recorded: ConsentDecisionAnswer,
  session: SessionFacts,
): DecisionCount | undefined {
  const fact = recorded.recorded && recorded.receiptId !== null ? recorded.receiptId : undefined;
  if (decision === "grant") {
    return fact === undefined ? undefined : { label: "granted", method, once: fact };
  }
  if (fact !== undefined) return { label: signal ?? "withdrawn", method, once: fact };
  if (recorded.state !== "none") return undefined;
  return { label: signal ?? "rejected", method, once: `refused ${session.sessionId}` };
}
