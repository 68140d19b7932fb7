import { z } from "zod";

import { TimeZone } from "../accounts/profile.ts";
import { Channel, DeviceClass } from "../analytics/row.ts";
import { exclusions } from "../links/opens.ts";
import { signedIn } from "../primitives/access.ts";
import { Day } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { insightLimits as limit } from "./limits.ts";

export const insightProblems = defineProblems({
  insights_not_included: [403, "The plan of this account does not include analytics."],
  insights_restricted: [403, "The account is to be deleted: its data is not used until then."],
  range_too_long: [422, "The range of days is too long for this question."],
});

const units = ["hour", "day", "week"] as const;

/** Days in the owner's time zone, both included. Hours and days with another length count as they are. */
const Range = z.object({ from: Day, to: Day, zone: TimeZone });

const Filters = z.object({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/u)
    .optional(),
  device: DeviceClass.optional(),
  /** A referring domain, or `direct`. */
  source: z.string().max(253).optional(),
});

export const Count = z.int().min(0);

/** How many people; `upTo` when someone may have been counted more than once. */
export const People = z.object({ count: Count, upTo: z.boolean() });
export type People = z.infer<typeof People>;

/**
 * What counts as opened: a click on a link elsewhere; of files and pages of ours, a page that was
 * visible or a file that was saved.
 */
const Totals = z.object({
  opens: Count,
  people: People,
  /** A person's browser asked for it by its headers, and it was never seen on a screen. */
  fetched: Count,
  /** Left out: machines, the owner, repetitions. */
  excluded: Count,
  lastAt: Instant.nullable(),
});

/** Every hour, day or week (from Monday) of the range by its first instant, also those without opens. */
const Series = z.array(z.object({ at: Instant, opens: Count, people: Count }));

const Places = z.array(
  z.object({
    /** Empty when unknown, or when the person asked not to be tracked. */
    country: z.string(),
    region: z.string(),
    /** Empty below five visitors. */
    city: z.string(),
    opens: Count,
    people: Count,
  }),
);

/** One request for a link, as its owner sees it. */
export const OpenView = z.object({
  /** Names the row in this answer and in the stream; leads to nothing else. */
  openId: Uuid,
  linkId: Uuid,
  at: Instant,
  /** Numbers the visitors of one link in this answer, from 1; null for one who is not recognised. */
  visitor: z.int().nullable(),
  exclusion: z.enum(exclusions).nullable(),
  /** `clicked`: of a link elsewhere no more is known. */
  state: z.enum(["clicked", "fetched", "seen"]),
  seconds: Count.nullable(),
  pages: Count.nullable(),
  pagesTotal: Count.nullable(),
  downloaded: z.boolean(),
  country: z.string(),
  region: z.string(),
  device: DeviceClass,
  browser: z.string(),
  source: z.string(),
  channel: Channel,
});
export type OpenView = z.infer<typeof OpenView>;

const LinkTotals = Totals.extend({
  linkId: Uuid,
  /** Opens of the last 14 days of the range, a day each, the oldest first. */
  recent: z.array(Count),
  /** Since the owner last looked. */
  fresh: Count,
});

const links = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(Uuid).min(1).max(limit.linksComparedMax));

const LinkParams = z.object({ linkId: Uuid });
const { insights_not_included, insights_restricted, range_too_long } = insightProblems;
const problems = [insights_not_included, insights_restricted, range_too_long] as const;

/**
 * For account holders about their own links. A link that is not theirs, or does not exist, is answered
 * like one that was never opened.
 */
export const insightCalls = defineCalls({
  "GET /api/insights/links": {
    summary: "Opens of all links of the account, and of each",
    access: signedIn,
    query: Range.extend(Filters.shape),
    answer: z.object({
      totals: Totals,
      /** The range of the same length before it. */
      before: Totals,
      series: Series,
      links: z.array(LinkTotals),
      /** When the owner looked before this time. */
      lookedAt: Instant.nullable(),
      asOf: Instant,
    }),
    problems,
  },
  "GET /api/insights/links/compared": {
    summary: "Opens of some links over time, side by side",
    access: signedIn,
    query: Range.extend({ unit: z.enum(units).default("day"), links }),
    answer: z.object({
      links: z.array(z.object({ linkId: Uuid, totals: Totals, series: Series })),
    }),
    problems,
  },
  "GET /api/insights/links/:linkId": {
    summary: "Opens of one link: over time, places, sources, devices, and what was left out",
    access: signedIn,
    params: LinkParams,
    query: Range.extend(Filters.shape).extend({ unit: z.enum(units).default("day") }),
    answer: z.object({
      totals: Totals,
      before: Totals,
      series: Series,
      places: Places,
      sources: z.array(
        z.object({ source: z.string(), channel: Channel, opens: Count, people: Count }),
      ),
      devices: z.array(z.object({ device: DeviceClass, opens: Count, people: Count })),
      browsers: z.array(z.object({ browser: z.string(), opens: Count, people: Count })),
      excluded: z.array(
        z.object({ exclusion: z.enum(exclusions), requests: Count, lastAt: Instant }),
      ),
      /** Of what was seen on a screen; null for a link elsewhere, or when nothing was. */
      viewing: z
        .object({
          seen: Count,
          medianSeconds: Count,
          medianPages: Count,
          pagesTotal: Count,
          downloads: Count,
        })
        .nullable(),
      fresh: Count,
      lookedAt: Instant.nullable(),
      asOf: Instant,
    }),
    problems,
  },
  "GET /api/insights/links/:linkId/opens": {
    summary: "Requests for one link, the newest first",
    access: signedIn,
    params: LinkParams,
    query: Range.extend(Filters.shape).extend({
      /** Also what was left out. */
      excluded: z.stringbool().default(false),
      before: Instant.optional(),
    }),
    answer: z.object({ opens: z.array(OpenView), more: z.boolean() }),
    problems,
  },
  "GET /api/insights/links/:linkId/opens.csv": {
    summary: "Requests for one link as a table, in the range",
    access: signedIn,
    params: LinkParams,
    query: Range.extend(Filters.shape),
    file: "text/csv",
    answer: z.never(),
    problems,
  },
  "GET /api/insights/live": {
    summary:
      "A stream of server-sent events, at most two seconds later: `open` with each open of a link of the account, `left-out` with each request that counts as none",
    access: signedIn,
    file: "text/event-stream",
    answer: z.never(),
    problems: [insights_not_included, insights_restricted],
  },
  "POST /api/insights/looked": {
    summary: "The owner has looked at a link, or at all; opens after this count as fresh",
    access: signedIn,
    body: z.object({ linkId: Uuid.nullable() }),
    answer: z.object({ status: z.literal("recorded") }),
  },
  "GET /api/insights/first-open": {
    summary: "The first open of the account's links, in every plan",
    access: signedIn,
    answer: z.object({ open: OpenView.nullable() }),
  },
});

const administrator = { roles: ["administrator"] } as const;
const named = z.array(z.object({ name: z.string(), visits: Count, views: Count }));

/** For administrators about the site itself: only what visitors consented to, and daily counters. */
export const trafficCalls = defineCalls({
  "GET /api/console/traffic": {
    summary: "Visits of the site: over time, pages, channels, campaigns, consent, goals",
    access: administrator,
    query: Range.extend({ unit: z.enum(units).default("day"), channel: Channel.optional() }),
    answer: z.object({
      totals: z.object({
        visits: Count,
        visitors: Count,
        views: Count,
        /** Of visits; between 0 and 1. */
        bounceRate: z.number().nullable(),
        medianSeconds: Count.nullable(),
        /** Views counted by page only, without consent. */
        countedViews: Count,
      }),
      before: z.object({ visits: Count, visitors: Count, views: Count }),
      series: z.array(z.object({ at: Instant, visits: Count, views: Count })),
      pages: named,
      channels: named,
      campaigns: named,
      countries: named,
      devices: named,
      languages: named,
      /** Decisions in the range. */
      consent: z.object({ granted: Count, rejected: Count, withdrawn: Count }),
      goals: z.array(
        z.object({
          goal: z.enum(["waitlist-joined", "checkout-done"]),
          visits: Count,
          rate: z.number().nullable(),
        }),
      ),
      asOf: Instant,
    }),
    problems: [range_too_long],
  },
});
