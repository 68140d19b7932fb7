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
export const paths: typeof analyticsPaths = {
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
export type EndBody = z.input<typeof SessionEnd>;
export type Notice = NoticeShown;

/** Reads the answer to a session start; undefined if it has another shape. */
export function parseStarted(body: unknown): SessionStarted | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const sessionId: unknown = Reflect.get(body, "sessionId");
  const anonymousId: unknown = Reflect.get(body, "anonymousId");
  if (typeof sessionId !== "string" || typeof anonymousId !== "string") return undefined;
  return { sessionId, anonymousId };
}

/** The receipt in the answer to a consent call, if there is one. */
export function parseReceiptId(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const receiptId: unknown = Reflect.get(body, "receiptId");
  return typeof receiptId === "string" ? receiptId : undefined;
}
