import type { ClickBody, EndBody, EventBody, PageViewBody } from "./calls.ts";
import { paths } from "./calls.ts";
import { newEventId } from "./event-id.ts";
import type { ConsentStatus } from "./visit-session.ts";

/** A call about the visit that waits for its session. */
export type Report = {
  path: (typeof paths)[keyof typeof paths];
  /** Has an event id: safe to repeat, and sent only with consent. */
  identified: boolean;
  body: (sessionId: string) => PageViewBody | ClickBody | EventBody | EndBody;
};

export type PageView = { page: string; title: string; referrer: string | undefined };
export type Click = {
  element: string;
  category: string;
  page: string;
  coordinates: { x: number; y: number };
  elementId: string | undefined;
  elementClass: string | undefined;
};

const idAndTime = (nowMs: number) => ({
  eventId: newEventId(nowMs),
  occurredAt: new Date(nowMs).toISOString(),
});

/** With consent the detailed view; without, only the path, for an anonymous counter. */
export function pageViewReport(view: PageView, consented: boolean, nowMs: number): Report {
  const details = consented
    ? {
        title: view.title,
        ...(view.referrer ? { referrer: view.referrer } : {}),
        ...idAndTime(nowMs),
      }
    : {};
  return {
    path: paths.trackPageView,
    identified: consented,
    body: (sessionId) => ({ sessionId, page: view.page, ...details }),
  };
}

/** With consent the position and the element; without, only the named element and the page. */
export function clickReport(click: Click, consented: boolean, nowMs: number): Report {
  const { element, category, page } = click;
  const details = consented
    ? {
        coordinates: click.coordinates,
        ...(click.elementId === undefined ? {} : { elementId: click.elementId }),
        ...(click.elementClass === undefined ? {} : { elementClass: click.elementClass }),
        ...idAndTime(nowMs),
      }
    : {};
  return {
    path: paths.trackClick,
    identified: consented,
    body: (sessionId) => ({ sessionId, element, category, page, ...details }),
  };
}

/** A named event with its data; sent only with consent. */
export function eventReport(
  eventType: string,
  eventData: EventBody["eventData"],
  nowMs: number,
): Report {
  const details = { eventType, eventData, ...idAndTime(nowMs) };
  return {
    path: paths.trackEvent,
    identified: true,
    body: (sessionId) => ({ sessionId, ...details }),
  };
}

/** `undecided` counts the visit, which its start did not. */
export function endReport(exitPage: string, consent: ConsentStatus, nowMs: number): Report {
  const undecided = consent === "undecided" ? { consentPending: true } : {};
  const details = consent === "granted" ? idAndTime(nowMs) : undecided;
  return {
    path: paths.sessionEnd,
    identified: consent === "granted",
    body: (sessionId) => ({ sessionId, exitPage, ...details }),
  };
}
