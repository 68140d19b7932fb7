import type {
  analyticsPaths,
  NoticeShown,
  SessionConsent,
  SessionEnd,
  SessionStart,
  SessionStarted,
  TrackClick,
  TrackEvent,
  TrackPageView,
} from "@pro-talent/schemas/analytics/wire";
import type { z } from "zod";

/** The paths of the contract, repeated to keep its validator out of the browser. */
export const paths: Omit<typeof analyticsPaths, "trackEvents" | "serverEvents"> = {
  sessionStart: "/api/analytics/session/start",
  sessionConsent: "/api/analytics/session/consent",
  sessionEnd: "/api/analytics/session/end",
  trackPageView: "/api/analytics/track/pageview",
  trackClick: "/api/analytics/track/click",
  trackEvent: "/api/analytics/track/event",
};

export type StartBody = z.input<typeof SessionStart>;
export type ConsentBody = z.input<typeof SessionConsent>;
export type PageViewBody = z.input<typeof TrackPageView>;
export type ClickBody = z.input<typeof TrackClick>;
export type EventBody = z.input<typeof TrackEvent>;
export type EventsBody = { sessionId: string; events: object[] };
export type EndBody = z.input<typeof SessionEnd>;
export type Notice = NoticeShown;

/** A text of an answer; undefined if it has another shape. */
function textIn(body: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(body), name);
  return typeof value === "string" ? value : undefined;
}

/** Reads the answer to a session start; undefined if it has another shape. */
export function parseStarted(body: unknown): SessionStarted | undefined {
  const sessionId = textIn(body, "sessionId");
  const anonymousId = textIn(body, "anonymousId");
  return sessionId && anonymousId ? { sessionId, anonymousId } : undefined;
}

/** The receipt in the answer to a consent call, if there is one. */
export const parseReceiptId = (body: unknown): string | undefined => textIn(body, "receiptId");
