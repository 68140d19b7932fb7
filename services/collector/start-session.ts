import { addCalls } from "@pro-talent/platform/http/add-calls";
import { sessionStartCalls } from "@pro-talent/schemas/analytics/calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { type CallParts, notCollectedReason } from "./call-parts.ts";
import { arrivalOf } from "./ingest/enrich/arrival.ts";
import { clockOffset, startTime } from "./ingest/event-time.ts";
import { makeAnonymousId } from "./session/identity.ts";
import type { VisitSession } from "./visit-session.ts";

/** The call that starts a visit session; it makes an anonymous id for a client that has none. */
export function addSessionStart(app: FastifyInstance, parts: CallParts): void {
  addCalls(app, sessionStartCalls, {
    "POST /api/analytics/session/start": async ({ body }, { request }) => {
      const now = parts.clock();
      const clockOffsetMs = clockOffset(body.deviceTime, now);
      const startedAtMs = startTime(body.occurredAt, clockOffsetMs, now);
      const anonymousId = body.anonymousId ?? makeAnonymousId(startedAtMs);
      const session: VisitSession = {
        ...arrivalOf(body, request.hostname),
        sessionId: uuidV7({ msecs: startedAtMs }),
        visitorId: parts.pseudonymise(anonymousId),
        startedAtMs,
        startedAt: instantFromMs(startedAtMs),
        clockOffsetMs,
      };
      const reason = await notCollectedReason(parts, request, session.visitorId);
      if (reason === undefined) await parts.collection.storeStart(request, session);
      else if (reason !== "no_consent" || body.consentPending !== true) {
        await parts.counters.visit({ metric: "session", page: session.entryPage, reason });
      }
      parts.onAnswer("session_start", "answered");
      return { sessionId: parts.tokens.seal(session), anonymousId };
    },
  });
}
