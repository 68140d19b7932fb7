import { addCalls } from "@pro-talent/platform/http/add-calls";
import { addJsonParser } from "@pro-talent/platform/http/json-parser";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { beginTrace, inSpan, isTracing } from "@pro-talent/platform/tracing/spans";
import { batchCalls, sessionEndCalls, trackCalls } from "@pro-talent/schemas/analytics/calls";
import type {
  NotCollectedReason,
  TrackAnswer,
  TrackResult,
} from "@pro-talent/schemas/analytics/wire";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { type CallParts, notCollectedReason, openSession } from "./call-parts.ts";
import type { Report } from "./ingest/collection.ts";
import { eventTime, instantAt } from "./ingest/event-time.ts";
import { assertShallow, isShallow } from "./ingest/stored-text.ts";
import { batchedOf, clickOf, endOf, eventOf, pageViewOf, type Reported } from "./reported.ts";
import type { VisitSession } from "./visit-session.ts";

/** The calls that report an event of a visit session; answered when the record is durable. */
export function addReportCalls(app: FastifyInstance, parts: CallParts): void {
  addCalls(app, trackCalls, {
    "POST /api/analytics/track/pageview": ({ body }, { request }) =>
      collect(parts, request, body.sessionId, pageViewOf(body, request.hostname)),
    "POST /api/analytics/track/click": ({ body }, { request }) =>
      collect(parts, request, body.sessionId, clickOf(body)),
    "POST /api/analytics/track/event": {
      read: assertShallow,
      handle: async ({ body }, { request }) =>
        collect(parts, request, body.sessionId, eventOf(body)),
    },
  });
  void app.register(async (scope) => {
    // `navigator.sendBeacon` with a string sends text/plain, and cannot send anything else safely.
    addJsonParser(scope, ["application/json", "text/plain"]);
    addCalls(scope, sessionEndCalls, {
      "POST /api/analytics/session/end": ({ body }, { request }) =>
        collect(parts, request, body.sessionId, endOf(body)),
    });
  });
}

/** The call that reports several events at once. */
export function addBatchCall(app: FastifyInstance, parts: CallParts): void {
  addJsonParser(app, ["application/json", "text/plain"]);
  addCalls(app, batchCalls, {
    "POST /api/analytics/track/events": {
      read: withoutDeepEvents,
      handle: async ({ body }, { request }) => {
        const visit = await openVisit(parts, request, body.sessionId, body.events.length);
        // Begun in their order, so that they are stored in it; they wait for one commit.
        const results = body.events.map((sent) =>
          resultOf(parts, sent, async (event) =>
            keep(parts, visit, batchedOf(event, request.hostname)),
          ),
        );
        return { results: await Promise.all(results) };
      },
    },
  });
}

/** Events that are nested too deeply are null, and cost none of the others. */
export function withoutDeepEvents(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("events" in body)) return body;
  const { events } = body;
  if (!Array.isArray(events)) return body;
  return { ...body, events: events.map((event: unknown) => (isShallow(event) ? event : null)) };
}

/**
 * The result of one event of several; a problem of its own costs none of the others.
 * @param take is given what could be read
 */
export async function resultOf<Event>(
  { onRefusal }: CallParts,
  event: Event | null,
  take: (event: Event) => Promise<TrackAnswer>,
): Promise<TrackResult> {
  try {
    if (event === null) throw new ProblemError("invalid_body");
    return { status: 202, ...(await take(event)) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code } = error;
    if (code !== "invalid_body" && code !== "spool_full") throw error;
    onRefusal(code);
    return { status: code === "invalid_body" ? 422 : 503, code };
  }
}

export type Visit = {
  /** Undefined when it is not the visitor's own. */
  request: FastifyRequest | undefined;
  session: VisitSession;
  now: number;
  /** Why only numbers are kept; undefined under consent. */
  reason: NotCollectedReason | undefined;
};

/** @throws ProblemError `unknown_session`, `rate_limited` or `consent_unavailable` */
export async function openVisit(
  parts: CallParts,
  request: FastifyRequest,
  sessionId: string,
  reports: number,
): Promise<Visit> {
  const now = parts.clock();
  const session = openSession(parts, sessionId, now);
  parts.limits.admit(session.sessionId, now, reports);
  const reason = await notCollectedReason(parts, request, session.visitorId);
  return { request, session, now, reason };
}

async function collect(
  parts: CallParts,
  request: FastifyRequest,
  sessionId: string,
  reported: Reported,
): Promise<TrackAnswer> {
  return keep(parts, await openVisit(parts, request, sessionId, 1), reported);
}

type Traced = { readonly from: "browser" | "server"; readonly now: number };

/** The trace of an event has its id, which the stored row has too: from where it happened to the spool. */
async function traceReport(
  { eventId, kind, time }: Pick<Report, "eventId" | "kind" | "time">,
  { from, now }: Traced,
  store: () => Promise<void>,
): Promise<void> {
  if (isTracing()) beginTrace(eventId, `${from} ${kind}`, {}, Date.parse(time.at)).end(now);
  await inSpan("append to spool", { of: eventId }, store);
}

/** Stores a report, or counts it. @throws ProblemError `spool_full` */
export async function keep(
  parts: CallParts,
  { request, session, now, reason }: Visit,
  { kind, delivery, countedPage, details, uncounted }: Reported,
): Promise<TrackAnswer> {
  const eventId = delivery.eventId ?? undefined;
  if (reason !== undefined) {
    // A signal was counted at the start.
    if (uncounted && reason === "no_consent") {
      await parts.counters.visit({ metric: "session", page: session.entryPage, reason });
    }
    const metric = kind === "measurement" ? "custom" : kind;
    await parts.counters.visit({ metric, page: countedPage, reason, eventId });
    parts.onAnswer(kind, "counted");
    return { outcome: "counted", reason };
  }
  const report = parts.limits.bounded(session.sessionId, {
    ...details(),
    kind,
    eventId: eventId?.toLowerCase() ?? uuidV7({ msecs: now }),
    time: eventTime(delivery.occurredAt ?? undefined, session, now),
    receivedAt: instantAt(now),
  });
  await traceReport(report, { from: request === undefined ? "server" : "browser", now }, () =>
    parts.collection.store(request, session, report, eventId !== undefined),
  );
  parts.onAnswer(kind, "stored");
  return { outcome: "stored" };
}
