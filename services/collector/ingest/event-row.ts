import type { EventKind, EventRow } from "@pro-talent/schemas/analytics/row";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { SessionFacts } from "../session-facts.ts";
import type { DeviceFacts } from "./enrich/device-headers.ts";
import type { VisitFacts } from "./enrich/visit.ts";

/** What is reported about one event; texts are already fit to be stored. */
export type Report = {
  eventId: string;
  kind: EventKind;
  occurredAt: Instant;
  receivedAt: Instant;
  page: string;
  title?: string;
  eventType?: string;
  eventData?: string;
  element?: string;
  category?: string;
  elementId?: string;
  elementClass?: string;
  coordinates?: { x: number; y: number } | null | undefined;
};

/** The row of a consented event: one literal, in the order of the contract. */
export function eventRow(
  session: SessionFacts,
  report: Report,
  visit: VisitFacts,
  device: DeviceFacts,
): EventRow {
  return {
    event_id: report.eventId,
    kind: report.kind,
    event_type: report.eventType ?? "",
    visitor_id: session.visitorId,
    session_id: session.sessionId,
    session_started_at: session.startedAt,
    occurred_at: report.occurredAt,
    received_at: report.receivedAt,
    page: report.page,
    page_title: report.title ?? "",
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
    click_x: report.coordinates ? Math.round(report.coordinates.x) : null,
    click_y: report.coordinates ? Math.round(report.coordinates.y) : null,
    event_data: report.eventData ?? "{}",
    browser: visit.browser,
    browser_major: visit.browser_major,
    os: visit.os,
    device_class: visit.device_class,
    country: visit.country,
    region: visit.region,
    city: visit.city,
    is_bot: visit.is_bot,
    bot_reasons: visit.bot_reasons,
    screen: device.screen,
    viewport: device.viewport,
    timezone: device.timezone,
    color_depth: device.color_depth,
    pixel_ratio: device.pixel_ratio,
    device_memory: device.device_memory,
    connection_type: device.connection_type,
  };
}
