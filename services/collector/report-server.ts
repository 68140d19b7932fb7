import { addCalls } from "@pro-talent/platform/http/add-calls";
import { serverCalls } from "@pro-talent/schemas/analytics/calls";
import type { TrackAnswer } from "@pro-talent/schemas/analytics/wire";
import type { FastifyInstance } from "fastify";

import type { CallParts } from "./call-parts.ts";
import { storedText } from "./ingest/stored-text.ts";
import { keep, openVisit, resultOf, withoutDeepEvents } from "./report.ts";
import { eventOf } from "./reported.ts";

/** The call by which servers of the site report what they know, with a key of the environment. */
export function addServerCall(app: FastifyInstance, parts: CallParts): void {
  addCalls(app, serverCalls, {
    "POST /api/analytics/server/events": {
      read: withoutDeepEvents,
      handle: async ({ body: { sessionId, events } }, { request }) => {
        if (sessionId === undefined || sessionId === null) {
          const results = events.map((sent) =>
            resultOf(parts, sent, async ({ eventType, eventId }): Promise<TrackAnswer> => {
              await parts.counters.serverEvent(storedText(eventType), eventId ?? undefined);
              return { outcome: "counted" };
            }),
          );
          return { results: await Promise.all(results) };
        }
        const visit = await openVisit(parts, request, sessionId, events.length);
        // Browser, device and place of this request are the server's, and so are the times.
        const session = { ...visit.session, clockOffsetMs: undefined };
        const ofVisitor = { ...visit, session, request: undefined };
        const results = events.map((sent) =>
          resultOf(parts, sent, async (event) => keep(parts, ofVisitor, eventOf(event))),
        );
        return { results: await Promise.all(results) };
      },
    },
  });
}
