import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { EventKind, EventRow } from "@pro-talent/schemas/analytics/row";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";

import type { Spool } from "../spool/spool.ts";
import type { VisitSession } from "../visit-session.ts";
import type { Locate } from "./enrich/location.ts";
import {
  type DeviceFacts,
  deviceFacts,
  unknownDevice,
  unknownVisit,
  visitFacts,
} from "./enrich/visit.ts";
import { type EventTime, instantAt, startEventId } from "./event-time.ts";

/** What is reported about one event; texts are already in their stored form. */
export type Report = {
  eventId: string;
  kind: EventKind;
  time: EventTime;
  receivedAt: Instant;
  page: string;
  notFound?: boolean;
  title?: string;
  referrer?: string;
  eventType?: string;
  eventData?: string;
  element?: string;
  category?: string;
  elementId?: string;
  elementClass?: string;
  coordinates?: { x: number; y: number } | null | undefined;
};

/** Stores what consenting visitors do. Everything resolves only when the record is durable. */
export type Collection = {
  /**
   * @param request undefined when it is not the visitor's own
   * @param claim true when the client made the event id and may send it again
   */
  store(
    request: FastifyRequest | undefined,
    session: VisitSession,
    report: Report,
    claim: boolean,
  ): Promise<void>;
  /** The start of a visit session; may be called again: its event id is always the same. */
  storeStart(request: FastifyRequest, session: VisitSession): Promise<void>;
};

export function createCollection(options: {
  append: Spool["append"];
  locate: Locate;
  clock: Clock;
  /** Receives the reasons why an event was marked as automated; none for a person's event. */
  onVerdict: (reasons: readonly string[]) => void;
}): Collection {
  const append = (
    request: FastifyRequest | undefined,
    session: VisitSession,
    event: { report: Report; claim: boolean; device: DeviceFacts },
  ): Promise<void> => {
    const visit = request ? visitFacts(request, options.locate) : unknownVisit;
    if (visit.is_bot === 1) options.onVerdict(visit.bot_reasons);
    const row: EventRow = { ...reportedFacts(session, event.report), ...visit, ...event.device };
    return options.append([{ kind: "event", row, claim: event.claim }]);
  };
  return {
    store: (request, session, report, claim) =>
      append(request, session, { report, claim, device: unknownDevice }),
    storeStart: (request, session) => {
      const report: Report = {
        eventId: startEventId(session.sessionId),
        kind: "session_start",
        time: { at: session.startedAt, source: "arrival" },
        receivedAt: instantAt(options.clock()),
        page: session.entryPage,
      };
      const device = deviceFacts(request.headers);
      return append(request, session, { report, claim: true, device });
    },
  };
}

/** The columns of an event that come from its visit session and its report. */
function reportedFacts(session: VisitSession, report: Report) {
  const { coordinates } = report;
  return {
    event_id: report.eventId,
    kind: report.kind,
    event_type: report.eventType ?? "",
    visitor_id: session.visitorId,
    session_id: session.sessionId,
    session_started_at: session.startedAt,
    occurred_at: report.time.at,
    received_at: report.receivedAt,
    time_source: report.time.source,
    page: report.page,
    ...(report.notFound === true && { not_found: 1 as const }),
    page_title: report.title ?? "",
    page_referrer: report.referrer ?? "",
    entry_page: session.entryPage,
    referrer_domain: session.referrerDomain,
    channel: session.channel,
    utm_source: session.utmSource,
    utm_medium: session.utmMedium,
    utm_campaign: session.utmCampaign,
    utm_term: session.utmTerm,
    utm_content: session.utmContent,
    element: report.element ?? "",
    element_category: report.category ?? "",
    element_id: report.elementId ?? "",
    element_class: report.elementClass ?? "",
    click_x: coordinates ? Math.round(coordinates.x) : null,
    click_y: coordinates ? Math.round(coordinates.y) : null,
    event_data: report.eventData ?? "{}",
  };
}
