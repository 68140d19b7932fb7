import type { IncomingHttpHeaders } from "node:http";

import { parseBody } from "@pro-talent/platform/http/parse-body";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import {
  analyticsPaths,
  type NotCollectedReason,
  SessionStart,
  type SessionStarted,
} from "@pro-talent/schemas/analytics/wire";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import type { Arrival, SessionFacts } from "../session-facts.ts";
import { makeAnonymousId } from "./anonymous-id.ts";
import type { SessionTokens } from "./session-token.ts";
import type { Pseudonymise } from "./visitor-pseudonym.ts";

export type SessionPorts = {
  clock: Clock;
  tokens: SessionTokens;
  pseudonymise: Pseudonymise;
  /** @throws ProblemError `rate_limited` */
  admit: (address: string) => void;
  arrivalOf: (body: SessionStart, host: string | undefined) => Arrival;
  signal: (headers: IncomingHttpHeaders) => NotCollectedReason | undefined;
  granted: (visitorId: string) => Promise<boolean>;
  /** A visitor who consented earlier starts a session. */
  onConsentedStart: (request: FastifyRequest, session: SessionFacts) => Promise<void>;
  onAnonymousStart: (entryPage: string, reason: NotCollectedReason) => Promise<void>;
  onAnswered: () => void;
};

/** `POST /api/analytics/session/start`: makes a session id, and an anonymous id when there is none. */
export function addSessionRoutes(app: FastifyInstance, ports: SessionPorts): void {
  app.post(analyticsPaths.sessionStart, async (request, reply) => {
    ports.admit(request.ip);
    const body = parseBody(SessionStart, request.body);
    const startedAtMs = ports.clock();
    const anonymousId = body.anonymousId ?? makeAnonymousId(startedAtMs);
    const session: SessionFacts = {
      ...ports.arrivalOf(body, request.hostname),
      sessionId: uuidV7({ msecs: startedAtMs }),
      visitorId: ports.pseudonymise(anonymousId),
      startedAtMs,
      startedAt: instantFromMs(startedAtMs),
    };
    const signal = ports.signal(request.headers);
    if (signal === undefined && (await ports.granted(session.visitorId))) {
      await ports.onConsentedStart(request, session);
    } else {
      await ports.onAnonymousStart(session.entryPage, signal ?? "no_consent");
    }
    ports.onAnswered();
    const answer: SessionStarted = { sessionId: ports.tokens.seal(session), anonymousId };
    return reply.header("cache-control", "no-store").send(answer);
  });
}
