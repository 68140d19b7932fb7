import { defineCalls } from "../primitives/calls.ts";
import { analyticsLimits } from "./limits.ts";
import { analyticsProblems } from "./problems.ts";
import {
  ConsentAnswer,
  ServerEvents,
  SessionConsent,
  SessionEnd,
  SessionStart,
  SessionStarted,
  TrackAnswer,
  TrackClick,
  TrackEvent,
  TrackEvents,
  TrackPageView,
  TrackResults,
} from "./wire.ts";

const { unknown_session, consent_unavailable, spool_full } = analyticsProblems;
const { bodyBytesMax } = analyticsLimits;
/** What the calls that report an event have in common. */
const report = {
  access: "public",
  answer: TrackAnswer,
  status: 202,
  bodyBytesMax,
  problems: [unknown_session, consent_unavailable, spool_full],
} as const;

export const sessionStartCalls = defineCalls({
  "POST /api/analytics/session/start": {
    summary: "Starts a visit session",
    access: "public",
    body: SessionStart,
    answer: SessionStarted,
    bodyBytesMax,
    problems: [consent_unavailable, spool_full],
  },
});

export const consentCalls = defineCalls({
  "POST /api/analytics/session/consent": {
    summary: "Records whether the visitor consents to analytics",
    access: "public",
    body: SessionConsent,
    answer: ConsentAnswer,
    bodyBytesMax,
    problems: [unknown_session, spool_full],
  },
});

export const trackCalls = defineCalls({
  "POST /api/analytics/track/pageview": {
    summary: "Reports a page view",
    body: TrackPageView,
    ...report,
  },
  "POST /api/analytics/track/click": { summary: "Reports a click", body: TrackClick, ...report },
  "POST /api/analytics/track/event": {
    summary: "Reports a custom event",
    body: TrackEvent,
    ...report,
  },
});

/** Takes `text/plain` as well, like the end of a session. */
export const batchCalls = defineCalls({
  "POST /api/analytics/track/events": {
    summary: "Reports several events of a visit session, each with its own result",
    body: TrackEvents,
    ...report,
    answer: TrackResults,
    bodyBytesMax: analyticsLimits.batchBytesMax,
  },
});

export const serverCalls = defineCalls({
  "POST /api/analytics/server/events": {
    summary: "Reports events that a server of the site knows, of a visit session or of none",
    ...report,
    access: "keyed",
    body: ServerEvents,
    answer: TrackResults,
    bodyBytesMax: analyticsLimits.batchBytesMax,
  },
});

/** Also takes `text/plain`, which is what `navigator.sendBeacon` sends. */
export const sessionEndCalls = defineCalls({
  "POST /api/analytics/session/end": {
    summary: "Ends a visit session",
    body: SessionEnd,
    ...report,
  },
});

/** The analytics calls of specification §7. */
export const analyticsCalls = {
  ...sessionStartCalls,
  ...consentCalls,
  ...trackCalls,
  ...batchCalls,
  ...serverCalls,
  ...sessionEndCalls,
};
