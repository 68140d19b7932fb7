import type { IncomingHttpHeaders } from "node:http";

import { addJsonParser } from "@pro-talent/platform/http/json-parser";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { EventKind } from "@pro-talent/schemas/analytics/row";
import {
  analyticsPaths,
  type NotCollectedReason,
  SessionEnd,
  type TrackAnswer,
  TrackClick,
  TrackEvent,
  TrackPageView,
} from "@pro-talent/schemas/analytics/wire";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import type { SessionFacts } from "../session-facts.ts";
import type { Collection } from "./collection.ts";
import type { AnonymousCounters } from "./counters/anonymous-counters.ts";
import { pagePathOrNone } from "./enrich/arrival.ts";
import { assertShallow, eventDataText } from "./event-data.ts";
import type { Report } from "./event-row.ts";
import { assertTimes, type Delivery, instantAt } from "./event-time.ts";
import { storedText } from "./free-text.ts";
import { pagePath } from "./page-path.ts";

export type IngestPorts = {
  clock: Clock;
  /** @throws ProblemError `unknown_session` */
  openSession: (sessionId: string, nowMs: number) => SessionFacts;
  signal: (headers: IncomingHttpHeaders) => NotCollectedReason | undefined;
  /** @throws ProblemError `consent_unavailable` */
  granted: (visitorId: string) => Promise<boolean>;
  collection: Collection;
  counters: AnonymousCounters;
  onOutcome: (kind: ReportKind, outcome: TrackAnswer["outcome"]) => void;
};

export type ReportKind = Exclude<EventKind, "session_start">;

/** What a call reports beyond its session, id and time. */
type Details = Omit<Report, "eventId" | "kind" | "occurredAt" | "receivedAt">;

type Call = {
  kind: ReportKind;
  delivery: Delivery & { sessionId: string };
  /** The page to count when nothing else may be stored; empty where it is of no interest. */
  countedPage: string;
  /** Made only under consent. */
  details: () => Details;
};

/** The calls that report what happens in a session; answered when the record is durable. */
export function addIngestRoutes(app: FastifyInstance, ports: IngestPorts): void {
  const take = createTake(ports);

  app.post(analyticsPaths.trackPageView, async (request, reply) => {
    const body = parseBody(TrackPageView, request.body);
    const page = pagePath(body.page);
    const details = (): Details => ({ page, title: storedText(body.title) });
    return take(request, reply, { kind: "page_view", delivery: body, countedPage: page, details });
  });

  app.post(analyticsPaths.trackClick, async (request, reply) => {
    const body = parseBody(TrackClick, request.body);
    const details = (): Details => ({
      page: pagePath(body.page),
      element: storedText(body.element),
      category: storedText(body.category),
      elementId: storedText(body.elementId),
      elementClass: storedText(body.elementClass),
      coordinates: body.coordinates,
    });
    return take(request, reply, { kind: "click", delivery: body, countedPage: "", details });
  });

  app.post(analyticsPaths.trackEvent, async (request, reply) => {
    assertShallow(request.body);
    const body = parseBody(TrackEvent, request.body);
    const eventData = eventDataText(body.eventData);
    const details = (): Details => ({ page: "", eventType: body.eventType, eventData });
    return take(request, reply, { kind: "custom", delivery: body, countedPage: "", details });
  });

  void app.register(async (scope) => {
    // `navigator.sendBeacon` with a string sends text/plain, and cannot send anything else safely.
    addJsonParser(scope, ["application/json", "text/plain"]);
    scope.post(analyticsPaths.sessionEnd, async (request, reply) => {
      const body = parseBody(SessionEnd, request.body);
      const page = pagePathOrNone(body.exitPage);
      const details = (): Details => ({ page });
      return take(request, reply, {
        kind: "session_end",
        delivery: body,
        countedPage: page,
        details,
      });
    });
  });
}

function createTake(ports: IngestPorts) {
  const why = async (
    request: FastifyRequest,
    session: SessionFacts,
  ): Promise<NotCollectedReason | undefined> =>
    ports.signal(request.headers) ??
    ((await ports.granted(session.visitorId)) ? undefined : "no_consent");

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
  ): Promise<FastifyReply> => {
    const { kind, delivery } = call;
    const now = ports.clock();
    assertTimes(delivery, now);
    const session = ports.openSession(delivery.sessionId, now);
    const reason = await why(request, session);
    reply.code(202).type("application/json; charset=utf-8");
    if (reason !== undefined) {
      const { eventId } = delivery;
      await ports.counters.visit({ metric: kind, page: call.countedPage, reason, eventId });
      ports.onOutcome(kind, "counted");
      return reply.send(countedAnswers[reason]);
    }
    const receivedAt = instantAt(now);
    const report: Report = {
      ...call.details(),
      kind,
      eventId: delivery.eventId?.toLowerCase() ?? uuidV7({ msecs: now }),
      occurredAt: delivery.occurredAt ?? receivedAt,
      receivedAt,
    };
    await ports.collection.store(request, session, report, delivery.eventId !== undefined);
    ports.onOutcome(kind, "stored");
    return reply.send(storedAnswer);
  };
}

/** The few answers that exist, written once. */
const storedAnswer = JSON.stringify({ outcome: "stored" } satisfies TrackAnswer);
const countedAnswer = (reason: NotCollectedReason): string =>
  JSON.stringify({ outcome: "counted", reason } satisfies TrackAnswer);
const countedAnswers: Readonly<Record<NotCollectedReason, string>> = {
  no_consent: countedAnswer("no_consent"),
  dnt: countedAnswer("dnt"),
  gpc: countedAnswer("gpc"),
};
