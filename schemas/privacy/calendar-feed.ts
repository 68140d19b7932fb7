import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";

/** Events of the calendar feed of one officer (`feed-<accountId>`). */
export const CalendarFeedEvent = z.discriminatedUnion("type", [
  /** A new address; the one before it ends. Its token is known to the officer alone. */
  z.object({
    type: z.literal("CalendarFeedMade"),
    data: z.object({ tokenSha256: z.hash("sha256") }),
  }),
  z.object({ type: z.literal("CalendarFeedRevoked"), data: z.object({}) }),
]);
export type CalendarFeedEvent = z.infer<typeof CalendarFeedEvent>;

const problems = defineProblems({
  feed_unknown: [404, "There is no such calendar."],
});
const officer = { roles: ["officer"] } as const;
/** Null without a feed. */
const Feed = z.object({ madeAt: Instant.nullable() });

/** The calendar of all clocks for calendar programs, which can send no sign-in. */
export const calendarFeedCalls = defineCalls({
  "GET /api/console/privacy/calendar-feed": {
    summary: "Whether this officer has a calendar feed, and since when",
    access: officer,
    answer: Feed,
  },
  "POST /api/console/privacy/calendar-feed": {
    summary: "Makes a secret address for calendar programs; an earlier one ends",
    access: { ...officer, stepUp: true },
    body: z.object({}),
    status: 201,
    answer: Feed.extend({
      /** Shown this once: the platform keeps its hash alone. */
      url: z.url(),
    }),
  },
  "POST /api/console/privacy/calendar-feed/revoke": {
    summary: "Ends the secret address",
    access: officer,
    body: z.object({}),
    answer: Feed,
  },
  /** By the secret address, as long as its officer has the role. */
  "GET /api/privacy/calendar/:token": {
    summary: "Every clock that runs, as a calendar (RFC 5545), without personal data",
    access: "public",
    params: z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/u) }),
    query: z.object({ language: Locale.default("en") }),
    file: "text/calendar",
    answer: z.never(),
    problems: [problems.feed_unknown],
  },
});
