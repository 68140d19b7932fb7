import { z } from "zod";

import { AnonymousId, UuidV7 } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { analyticsLimits as limit } from "./limits.ts";

/** Bodies and answers of the analytics calls. A session is a visit session here. */

const text = (max: number) => z.string().max(max);
const label = text(limit.labelCharsMax);
const optionalLabel = label.nullish();

/** Opaque to clients: made by the collector, repeated with every call of the session. */
export const SessionId = z.string().min(1).max(limit.sessionIdCharsMax);

/** Optional fields that make a retry exactly-once and keep the time of late reports. */
const delivery = {
  /** Made by the client once per event and repeated on every retry: stored once. */
  eventId: UuidV7.optional(),
  /** When it happened on the device; the time of arrival when absent. */
  occurredAt: Instant.optional(),
};

const Utm = z.object({
  source: text(limit.utmCharsMax).nullish(),
  medium: text(limit.utmCharsMax).nullish(),
  campaign: text(limit.utmCharsMax).nullish(),
  term: text(limit.utmCharsMax).nullish(),
  content: text(limit.utmCharsMax).nullish(),
});

/** The value of a header that is absent, or dropped alone when it is out of bounds. */
const header = (pattern: RegExp) => z.string().regex(pattern).optional().catch(undefined);

/**
 * The device headers of specification §7. Each one is optional, and an unusable value is dropped
 * alone: a strange screen must not cost a page view.
 */
export const ClientHeaders = z.object({
  "x-screen-resolution": header(/^\d{1,5}x\d{1,5}$/),
  "x-timezone": header(/^[A-Za-z0-9_+/-]{1,64}$/),
  "x-viewport": header(/^\d{1,5}x\d{1,5}$/),
  "x-color-depth": header(/^\d{1,2}$/),
  "x-pixel-ratio": header(/^\d{1,2}(\.\d{1,4})?$/),
  "x-device-memory": header(/^\d{1,3}(\.\d{1,3})?$/),
  "x-connection-type": header(/^[a-z0-9-]{1,16}$/),
});
export type ClientHeaders = z.infer<typeof ClientHeaders>;

export const SessionStart = z.object({
  /** Made by the collector when the client has none. */
  anonymousId: AnonymousId.nullish(),
  referrer: text(limit.pageCharsMax).nullish(),
  landingPage: text(limit.pageCharsMax).nullish(),
  utm: Utm.nullish(),
  /**
   * The visitor may still consent: the visit is not counted as one without consent at its start,
   * but stored when consent follows, or counted by the `consentPending` of its end.
   */
  consentPending: z.boolean().optional(),
});
export type SessionStart = z.infer<typeof SessionStart>;

export const SessionStarted = z.object({ sessionId: SessionId, anonymousId: AnonymousId });
export type SessionStarted = z.infer<typeof SessionStarted>;

/**
 * How a decision was made. `reset` withdraws consent, and the visitor is asked again; `dnt` and
 * `gpc` are signals of the browser.
 */
export const ConsentMethod = z.enum([
  "accept_all",
  "reject_all",
  "customise",
  "reset",
  "dnt",
  "gpc",
]);
export type ConsentMethod = z.infer<typeof ConsentMethod>;

/** The text that the visitor was shown: version, language, and SHA-256 in hex. */
export const NoticeShown = z.object({
  version: z.string().regex(/^[A-Za-z0-9._-]{1,32}$/),
  language: Locale,
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type NoticeShown = z.infer<typeof NoticeShown>;

export const SessionConsent = z.object({
  sessionId: SessionId,
  hasConsent: z.boolean(),
  consentType: z.enum(["detailed", "none"]),
  method: ConsentMethod.optional(),
  notice: NoticeShown.optional(),
});
export type SessionConsent = z.infer<typeof SessionConsent>;

/** Why nothing that identifies a visitor was stored. */
export const NotCollectedReason = z.enum(["no_consent", "dnt", "gpc"]);
export type NotCollectedReason = z.infer<typeof NotCollectedReason>;

export const ConsentAnswer = z.object({
  analytics: z.enum(["granted", "denied"]),
  reason: NotCollectedReason.optional(),
  /** Present when the ledger holds a fact about this visitor: `/api/consent/receipts/{receiptId}`. */
  receiptId: z.uuid().optional(),
});
export type ConsentAnswer = z.infer<typeof ConsentAnswer>;

export const TrackPageView = z.object({
  sessionId: SessionId,
  page: text(limit.pageCharsMax).min(1),
  title: text(limit.titleCharsMax).nullish(),
  referrer: text(limit.pageCharsMax).nullish(),
  ...delivery,
});
export type TrackPageView = z.infer<typeof TrackPageView>;

const coordinate = z.number().min(-limit.coordinateMax).max(limit.coordinateMax);

export const TrackClick = z.object({
  sessionId: SessionId,
  element: label.min(1),
  category: optionalLabel,
  page: text(limit.pageCharsMax).min(1),
  coordinates: z.object({ x: coordinate, y: coordinate }).nullish(),
  elementId: optionalLabel,
  elementClass: optionalLabel,
  ...delivery,
});
export type TrackClick = z.infer<typeof TrackClick>;

export const TrackEvent = z.object({
  sessionId: SessionId,
  eventType: z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/),
  eventData: z.record(z.string().max(64), z.json()).nullish(),
  ...delivery,
});
export type TrackEvent = z.infer<typeof TrackEvent>;

export const SessionEnd = z.object({
  sessionId: SessionId,
  exitPage: text(limit.pageCharsMax).nullish(),
  /** The visitor left without a decision: the visit, not counted at its start, is counted now. */
  consentPending: z.boolean().optional(),
  ...delivery,
});
export type SessionEnd = z.infer<typeof SessionEnd>;

/** A report is `stored` with consent, `counted` as an anonymous number without. */
export const TrackAnswer = z.object({
  outcome: z.enum(["stored", "counted"]),
  reason: NotCollectedReason.optional(),
});
export type TrackAnswer = z.infer<typeof TrackAnswer>;

/** Paths of the calls. */
export const analyticsPaths = {
  sessionStart: "/api/analytics/session/start",
  sessionConsent: "/api/analytics/session/consent",
  sessionEnd: "/api/analytics/session/end",
  trackPageView: "/api/analytics/track/pageview",
  trackClick: "/api/analytics/track/click",
  trackEvent: "/api/analytics/track/event",
} as const;
