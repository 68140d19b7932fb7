import type { analyticsPaths } from "@pro-talent/schemas/analytics/wire";

import type { ClickBody, EndBody, EventBody, EventsBody, PageViewBody } from "./calls.ts";
import { paths } from "./calls.ts";
import { newEventId } from "./event-id.ts";
import type { ConsentStatus } from "./visit-session.ts";

/** A call about the visit that waits for its session. */
export type Report = {
  path: (typeof analyticsPaths)[keyof typeof analyticsPaths];
  /** Has an event id: safe to repeat, and sent only with consent. */
  identified: boolean;
  body: (sessionId: string) => PageViewBody | ClickBody | EventBody | EventsBody | EndBody;
  /** When it happened, in milliseconds since 1970. */
  atMs: number;
};

export type PageView = {
  page: string;
  title: string;
  referrer: string | undefined;
  /** The site has no such page. */
  notFound?: boolean;
};
export type Click = {
  element: string;
  category: string;
  page: string;
  coordinates: { x: number; y: number };
  elementId: string | undefined;
  elementClass: string | undefined;
};

export const idAndTime = (nowMs: number) => ({
  eventId: newEventId(nowMs),
  occurredAt: new Date(nowMs).toISOString(),
});

/** With consent the detailed view; without, only the path, for an anonymous counter. */
export function pageViewReport(view: PageView, consented: boolean, nowMs: number): Report {
  const { page, notFound, ...about } = view;
  const details = consented
    ? { ...about, notFound: notFound || undefined, ...idAndTime(nowMs) }
    : {};
  return {
    path: paths.trackPageView,
    identified: consented,
    atMs: nowMs,
    body: (sessionId) => ({ sessionId, page, ...details }),
  };
}

/** With consent the position and the element; without, only the named element and the page. */
export function clickReport(click: Click, consented: boolean, nowMs: number): Report {
  const { element, category, page, ...place } = click;
  const details = consented ? { ...place, ...idAndTime(nowMs) } : {};
  return {
    path: paths.trackClick,
    identified: consented,
    atMs: nowMs,
    body: (sessionId) => ({ sessionId, element, category, page, ...details }),
  };
}

/** `undecided` counts the visit, which its start did not. */
export function endReport(exitPage: string, consent: ConsentStatus, nowMs: number): Report {
  const undecided = consent === "undecided" ? { consentPending: true } : {};
  const details = consent === "granted" ? idAndTime(nowMs) : undecided;
  return {
    path: paths.sessionEnd,
    identified: consent === "granted",
    atMs: nowMs,
    body: (sessionId) => ({ sessionId, exitPage, ...details }),
  };
}
