import { z } from "zod";

import { AnonymousId } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { cutText } from "./cut-text.ts";
import { analyticsLimits as limit } from "./limits.ts";

/** Bodies and answers of the analytics calls. A session is a visit session here. */

/** A text whose end is left out when it is too long. */
const text = (max: number) => z.string().transform((value) => cutText(value, max));
const requiredText = (max: number) =>
  z
    .string()
    .min(1)
    .transform((value) => cutText(value, max));
const optionalLabel = text(limit.labelCharsMax).nullish();

/** Opaque to clients: made by the collector, repeated with every call of the session. */
export const SessionId = z.string().min(1).max(limit.sessionIdCharsMax);

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * A moment by the device's clock: milliseconds since 1970, or ISO 8601 with `Z` or an offset. Read as
 * milliseconds; NaN when it is no moment, so that a strange clock costs no report.
 */
const DeviceTime = z
  .union([z.number(), z.string()])
  .transform((time) =>
    typeof time === "number"
      ? Math.round(time)
      : isoTime.test(time)
        ? Date.parse(time)
        : Number.NaN,
  );

/** Optional fields that make a retry exactly-once and keep the time of late reports. */
const delivery = {
  /** A UUID, made by the client once per event and repeated on every retry: stored once. */
  eventId: z
    .uuid()
    .refine((id) => !/^[0f-]+$/i.test(id), "The same for every event")
    .nullish(),
  /** When it happened on the device; the time of arrival when absent or impossible. */
  occurredAt: DeviceTime.nullish(),
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
  "x-connection-type": header(
    /^(?:slow-2g|[2-6]g|bluetooth|cellular|ethernet|mixed|none|other|unknown|wifi|wimax)$/,
  ),
  /** The browser says that a program drives it (`navigator.webdriver`); left out otherwise. */
  "x-automation": header(/^1$/),
  /** The language of the page on which the session began. */
  "x-page-language": Locale.optional().catch(undefined),
});
export type ClientHeaders = z.infer<typeof ClientHeaders>;

export const SessionStart = z.object({
  /** Made by the collector when the client has none, or one of another form. */
  anonymousId: AnonymousId.nullish().catch(undefined),
  referrer: text(limit.pageCharsMax).nullish(),
  landingPage: text(limit.pageCharsMax).nullish(),
  utm: Utm.nullish(),
  /**
   * The visitor may still consent: the visit is not counted as one without consent at its start,
   * but stored when consent follows, or counted by the `consentPending` of its end.
   */
  consentPending: z.boolean().nullish(),
  /**
   * What the device's clock says when this is sent. The collector then corrects `occurredAt` of the
   * session's reports by the difference to its own clock.
   */
  deviceTime: DeviceTime.nullish(),
  /**
   * When the visit began on the device, for a start that is sent late (without a connection). It is
   * corrected like that of an event, and needs `deviceTime`.
   */
  occurredAt: DeviceTime.nullish(),
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
  method: ConsentMethod.nullish(),
  notice: NoticeShown.nullish(),
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
  page: requiredText(limit.pageCharsMax),
  title: text(limit.titleCharsMax).nullish(),
  referrer: text(limit.pageCharsMax).nullish(),
  /** The site has no such page. */
  notFound: z.boolean().nullish().catch(undefined),
  ...delivery,
});
export type TrackPageView = z.infer<typeof TrackPageView>;

const coordinate = z
  .number()
  .transform((value) => Math.max(-limit.coordinateMax, Math.min(limit.coordinateMax, value)));

export const TrackClick = z.object({
  sessionId: SessionId,
  element: requiredText(limit.labelCharsMax),
  category: optionalLabel,
  page: requiredText(limit.pageCharsMax),
  coordinates: z.object({ x: coordinate, y: coordinate }).nullish(),
  elementId: optionalLabel,
  elementClass: optionalLabel,
  ...delivery,
});
export type TrackClick = z.infer<typeof TrackClick>;

export const TrackEvent = z.object({
  sessionId: SessionId,
  eventType: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]+$/)
    .transform((name) => name.slice(0, limit.eventTypeCharsMax)),
  /** Not stored beyond 4,096 bytes of JSON; the event then has `{"_cut":true}`. */
  eventData: z.record(z.string(), z.json()).nullish(),
  /** Where it happened. */
  page: text(limit.pageCharsMax).nullish(),
  ...delivery,
});
export type TrackEvent = z.infer<typeof TrackEvent>;

export const SessionEnd = z.object({
  sessionId: SessionId,
  exitPage: text(limit.pageCharsMax).nullish(),
  /** The visitor left without a decision: the visit, not counted at its start, is counted now. */
  consentPending: z.boolean().nullish(),
  ...delivery,
});
export type SessionEnd = z.infer<typeof SessionEnd>;

/** A report is `stored` with consent, `counted` as an anonymous number without. */
export const TrackAnswer = z.object({
  outcome: z.enum(["stored", "counted"]),
  reason: NotCollectedReason.optional(),
});
export type TrackAnswer = z.infer<typeof TrackAnswer>;

/** A report as in its own call, whose session is that of the batch. */
export const BatchedEvent = z.discriminatedUnion("type", [
  TrackPageView.omit({ sessionId: true }).extend({ type: z.literal("pageview") }),
  TrackClick.omit({ sessionId: true }).extend({ type: z.literal("click") }),
  TrackEvent.omit({ sessionId: true }).extend({ type: z.literal("event") }),
  SessionEnd.omit({ sessionId: true }).extend({ type: z.literal("end") }),
]);
export type BatchedEvent = z.infer<typeof BatchedEvent>;

export const TrackEvents = z.object({
  sessionId: SessionId,
  /** One that cannot be read costs none of the others; null after reading. */
  events: z.array(BatchedEvent.nullable().catch(null)).min(1).max(limit.batchEventsMax),
});
export type TrackEvents = z.infer<typeof TrackEvents>;

/**
 * What became of one event of a batch: the answer of its own call, or the code of its problem.
 * Repeat those with 503.
 */
export const TrackResult = TrackAnswer.partial().extend({
  status: z.union([z.literal(202), z.literal(422), z.literal(503)]),
  code: z.string().optional(),
});
export type TrackResult = z.infer<typeof TrackResult>;

/** One for each event of the batch, in its order. */
export const TrackResults = z.object({ results: z.array(TrackResult) });
export type TrackResults = z.infer<typeof TrackResults>;

/** What a server of the site knows, such as a sign-up that was completed. */
export const ServerEvents = z.object({
  /**
   * Of the visit that caused the events; they are stored if its visitor consents. Without one they are
   * counted by day and type, and their data is not kept.
   */
  sessionId: SessionId.nullish(),
  events: z
    .array(TrackEvent.omit({ sessionId: true }).nullable().catch(null))
    .min(1)
    .max(limit.batchEventsMax),
});
export type ServerEvents = z.infer<typeof ServerEvents>;

/** Paths of the calls. */
export const analyticsPaths = {
  sessionStart: "/api/analytics/session/start",
  sessionConsent: "/api/analytics/session/consent",
  sessionEnd: "/api/analytics/session/end",
  trackPageView: "/api/analytics/track/pageview",
  trackClick: "/api/analytics/track/click",
  trackEvent: "/api/analytics/track/event",
  trackEvents: "/api/analytics/track/events",
  serverEvents: "/api/analytics/server/events",
} as const;
