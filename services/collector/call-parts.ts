import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";
import type { EventKind } from "@pro-talent/schemas/analytics/row";
import type { NotCollectedReason } from "@pro-talent/schemas/analytics/wire";
import type { FastifyRequest } from "fastify";

import type { ConsentGate } from "./consent/consent-gate.ts";
import type { LedgerClient } from "./consent/ledger-client.ts";
import { trackingSignal } from "./consent/tracking-signal.ts";
import type { Collection } from "./ingest/collection.ts";
import type { AnonymousCounters } from "./ingest/counters.ts";
import type { SessionLimits } from "./ingest/session-limits.ts";
import type { Pseudonymise } from "./session/identity.ts";
import type { SessionTokens } from "./session/session-token.ts";
import type { VisitSession } from "./visit-session.ts";

/** What the handlers of the analytics calls share. */
export type CallParts = {
  clock: Clock;
  log: Logger;
  tokens: SessionTokens;
  pseudonymise: Pseudonymise;
  gate: Pick<ConsentGate, "granted">;
  ledger: LedgerClient;
  collection: Collection;
  limits: SessionLimits;
  counters: AnonymousCounters;
  /** Receives the code of each event of a batch that was refused. */
  onRefusal: (code: "invalid_body" | "spool_full") => void;
  /** Receives each call, and each event of a batch, that was not refused, for the metrics. */
  onAnswer: (call: EventKind | "consent", result: "answered" | "stored" | "counted") => void;
};

/** The visit session of an id. @throws ProblemError `unknown_session` */
export function openSession({ tokens }: CallParts, sessionId: string, nowMs: number): VisitSession {
  const session = tokens.open(sessionId, nowMs);
  if (session === undefined) throw new ProblemError(analyticsProblems.unknown_session);
  return session;
}

/**
 * Why only anonymous numbers may be kept of a request; undefined when its visitor consents.
 * @throws ProblemError `consent_unavailable`
 */
export async function notCollectedReason(
  { gate }: CallParts,
  request: FastifyRequest,
  visitorId: string,
): Promise<NotCollectedReason | undefined> {
  const signal = trackingSignal(request.headers);
  if (signal !== undefined) return signal;
  return (await gate.granted(visitorId)) ? undefined : "no_consent";
}
