import type { EventKind } from "@pro-talent/schemas/analytics/row";
import type {
  BatchedEvent,
  SessionEnd,
  TrackClick,
  TrackEvent,
  TrackPageView,
} from "@pro-talent/schemas/analytics/wire";

import type { Report } from "./ingest/collection.ts";
import { pageReferrer } from "./ingest/enrich/arrival.ts";
import { pagePath, pagePathOrNone } from "./ingest/page-path.ts";
import { siteEvent } from "./ingest/site-event.ts";
import { eventDataText, storedText } from "./ingest/stored-text.ts";

/** What a call reports beyond its visit session, id and time. */
type Details = Omit<Report, "eventId" | "kind" | "time" | "receivedAt">;

/** What one report says, before it is known whether it may be stored. */
export type Reported = {
  kind: Exclude<EventKind, "session_start">;
  delivery: Pick<TrackPageView, "eventId" | "occurredAt">;
  /** The page to count when nothing else may be stored; empty where it is not counted. */
  countedPage: string;
  /** Made only under consent. */
  details: () => Details;
  /** The visit was not counted at its start. */
  uncounted?: boolean;
};

type Sent<Body> = Omit<Body, "sessionId">;

/** @param host the name under which the visitor reached the site */
export function pageViewOf(body: Sent<TrackPageView>, host: string | undefined): Reported {
  const page = pagePath(body.page);
  const details = (): Details => ({
    page,
    title: storedText(body.title),
    referrer: pageReferrer(body.referrer, host),
    ...(body.notFound === true && { notFound: true }),
  });
  return { kind: "page_view", delivery: body, countedPage: page, details };
}

export function clickOf(body: Sent<TrackClick>): Reported {
  const details = (): Details => ({
    page: pagePath(body.page),
    element: storedText(body.element),
    category: storedText(body.category),
    elementId: storedText(body.elementId),
    elementClass: storedText(body.elementClass),
    coordinates: body.coordinates,
  });
  return { kind: "click", delivery: body, countedPage: "", details };
}

/** @throws ProblemError `invalid_body` for a reserved event type with data of another form */
export function eventOf(body: Sent<TrackEvent>): Reported {
  const reserved = siteEvent(body);
  const eventData = reserved?.eventData ?? eventDataText(body.eventData);
  const details = (): Details => ({
    page: pagePathOrNone(body.page),
    eventType: reserved === undefined ? storedText(body.eventType) : body.eventType,
    eventData,
  });
  return { kind: reserved?.kind ?? "custom", delivery: body, countedPage: "", details };
}

export function endOf(body: Sent<SessionEnd>): Reported {
  const page = pagePathOrNone(body.exitPage);
  return {
    kind: "session_end",
    delivery: body,
    countedPage: page,
    details: () => ({ page }),
    uncounted: body.consentPending === true,
  };
}

/** One event of a batch. @throws ProblemError `invalid_body` */
export function batchedOf(event: BatchedEvent, host: string | undefined): Reported {
  if (event.type === "pageview") return pageViewOf(event, host);
  if (event.type === "click") return clickOf(event);
  return event.type === "event" ? eventOf(event) : endOf(event);
}
