import { defineCalls } from "../primitives/calls.ts";
import { analyticsLimits } from "./limits.ts";
import { analyticsProblems } from "./problems.ts";
import {
  ConsentAnswer,
  SessionConsent,
  SessionEnd,
  SessionStart,
  SessionStarted,
  TrackAnswer,
  TrackClick,
  TrackEvent,
  TrackPageView,
} from "./wire.ts";

const { unknown_session, time_out_of_range, consent_unavailable, spool_full } = analyticsProblems;
const { bodyBytesMax } = analyticsLimits;
/** What the calls that report an event have in common. */
const report = {
  access: "public",
  answer: TrackAnswer,
  status: 202,
  bodyBytesMax,
  problems: [unknown_session, time_out_of_range, consent_unavailable, spool_full],
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
  ...sessionEndCalls,
};
