import { addCalls } from "@pro-talent/platform/http/add-calls";
import { addJsonParser } from "@pro-talent/platform/http/json-parser";
import { sessionEndCalls, trackCalls } from "@pro-talent/schemas/analytics/calls";
import type { EventKind } from "@pro-talent/schemas/analytics/row";
import type { TrackAnswer } from "@pro-talent/schemas/analytics/wire";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { type CallParts, notCollectedReason, openSession } from "./call-parts.ts";
import type { Report } from "./ingest/collection.ts";
import { assertTimes, type Delivery, instantAt } from "./ingest/event-time.ts";
import { pagePath, pagePathOrNone } from "./ingest/page-path.ts";
import { assertShallow, eventDataText, storedText } from "./ingest/stored-text.ts";

/** What a call reports beyond its visit session, id and time. */
type Details = Omit<Report, "eventId" | "kind" | "occurredAt" | "receivedAt">;

type Reported = {
  kind: Exclude<EventKind, "session_start">;
  delivery: Delivery & { sessionId: string };
  /** The page to count when nothing else may be stored; empty where it is not counted. */
  countedPage: string;
  /** Made only under consent. */
  details: () => Details;
  /** The visit was not counted at its start. */
  uncounted?: boolean;
};

/** The calls that report an event of a visit session; answered when the record is durable. */
export function addReportCalls(app: FastifyInstance, parts: CallParts): void {
  addCalls(app, trackCalls, {
    "POST /api/analytics/track/pageview": ({ body }, { request }) => {
      const page = pagePath(body.page);
      const details = (): Details => ({ page, title: storedText(body.title) });
      return collect(parts, request, {
        kind: "page_view",
        delivery: body,
        countedPage: page,
        details,
      });
    },
    "POST /api/analytics/track/click": ({ body }, { request }) => {
      const details = (): Details => ({
        page: pagePath(body.page),
        element: storedText(body.element),
        category: storedText(body.category),
        elementId: storedText(body.elementId),
        elementClass: storedText(body.elementClass),
        coordinates: body.coordinates,
      });
      return collect(parts, request, { kind: "click", delivery: body, countedPage: "", details });
    },
    "POST /api/analytics/track/event": {
      read: assertShallow,
      handle: async ({ body }, { request }) => {
        const eventData = eventDataText(body.eventData);
        const details = (): Details => ({ page: "", eventType: body.eventType, eventData });
        return collect(parts, request, {
          kind: "custom",
          delivery: body,
          countedPage: "",
          details,
        });
      },
    },
  });
  void app.register(async (scope) => addSessionEnd(scope, parts));
}

function addSessionEnd(app: FastifyInstance, parts: CallParts): void {
  // `navigator.sendBeacon` with a string sends text/plain, and cannot send anything else safely.
  addJsonParser(app, ["application/json", "text/plain"]);
  addCalls(app, sessionEndCalls, {
    "POST /api/analytics/session/end": ({ body }, { request }) => {
      const page = pagePathOrNone(body.exitPage);
      const details = (): Details => ({ page });
      return collect(parts, request, {
        kind: "session_end",
        delivery: body,
        countedPage: page,
        details,
        uncounted: body.consentPending === true,
      });
    },
  });
}

async function collect(
  parts: CallParts,
  request: FastifyRequest,
  { kind, delivery, countedPage, details, uncounted }: Reported,
): Promise<TrackAnswer> {
  const now = parts.clock();
  assertTimes(delivery, now);
  const session = openSession(parts, delivery.sessionId, now);
  const reason = await notCollectedReason(parts, request, session.visitorId);
  if (reason !== undefined) {
    const { eventId } = delivery;
    // A signal was counted at the start.
    if (uncounted && reason === "no_consent") {
      await parts.counters.visit({ metric: "session", page: session.entryPage, reason });
    }
    await parts.counters.visit({ metric: kind, page: countedPage, reason, eventId });
    parts.onAnswer(kind, "counted");
    return { outcome: "counted", reason };
  }
  const receivedAt = instantAt(now);
  const report: Report = {
    ...details(),
    kind,
    eventId: delivery.eventId?.toLowerCase() ?? uuidV7({ msecs: now }),
    occurredAt: delivery.occurredAt ?? receivedAt,
    receivedAt,
  };
  await parts.collection.store(request, session, report, delivery.eventId !== undefined);
  parts.onAnswer(kind, "stored");
  return { outcome: "stored" };
}
