import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { trafficCalls } from "@pro-talent/schemas/insights/calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

import { timeOf } from "./ask.ts";
import { type InsightsContext, readRange } from "./asking.ts";
import { spanParams } from "./questions/owner-opens.ts";
import {
  goals,
  pageNames,
  siteCounters,
  visitNames,
  visitSeries,
  visitTotals,
} from "./questions/traffic.ts";
import { instantOfSeconds, secondsOf } from "./range.ts";

/** The page that a visit shows when it has reached a goal. */
const goalPages = {
  "waitlist-joined": "/newsletter/confirmed",
  "checkout-done": "/checkout/return",
} as const;
const goalNames = ["waitlist-joined", "checkout-done"] as const;

const none = { visits: 0, visitors: 0, views: 0, bounces: 0, medianSeconds: 0 };

/** Administrators about the site. */
export function trafficHandlers({
  questions,
  clock,
}: InsightsContext): CallHandlers<typeof trafficCalls> {
  return {
    "GET /api/console/traffic": async ({ query }) => {
      const range = readRange(query, query.unit);
      const channel = query.channel ?? "";
      const about = { ...spanParams(range), channel };
      const middle = timeOf(range.from);
      const since = { ...about, from: timeOf(range.before.from) };
      const [both, rows, names, shown, reached, counted] = await Promise.all([
        questions.ofSite(visitTotals, { ...since, middle }),
        questions.ofSite(visitSeries, { ...about, edges: secondsOf(range.edges) }),
        questions.ofSite(visitNames, about),
        questions.ofSite(pageNames, about),
        questions.ofSite(goals, { ...about, pages: Object.values(goalPages) }),
        questions.ofSite(siteCounters, { first: query.from, last: query.to }),
      ]);
      const current = both.find((row) => row.isCurrent) ?? none;
      const earlier = both.find((row) => !row.isCurrent) ?? none;
      const named = nameLists([...names, ...shown]);
      return {
        totals: {
          visits: current.visits,
          visitors: current.visitors,
          views: current.views,
          bounceRate: rateOf(current.bounces, current.visits),
          medianSeconds: current.visits === 0 ? null : current.medianSeconds,
          countedViews: sumOf(counted, "page_view"),
        },
        before: { visits: earlier.visits, visitors: earlier.visitors, views: earlier.views },
        series: range.edges.map((at) => {
          const row = rows.find(({ edge }) => instantOfSeconds(edge) === at);
          return { at, visits: row?.visits ?? 0, views: row?.views ?? 0 };
        }),
        pages: named("page"),
        channels: named("channel"),
        campaigns: named("campaign").filter(({ name }) => name !== ""),
        countries: named("country"),
        devices: named("device"),
        languages: named("language"),
        consent: {
          granted: sumOf(counted, "consent", "granted"),
          rejected: sumOf(counted, "consent", "rejected"),
          withdrawn: sumOf(counted, "consent", "withdrawn"),
        },
        goals: goalNames.map((goal) => {
          const visits = reached.find(({ page }) => page === goalPages[goal])?.visits ?? 0;
          return { goal, visits, rate: rateOf(visits, current.visits) };
        }),
        asOf: instantFromMs(clock()),
      };
    },
  };
}

type Named = z.output<typeof visitNames.row> | z.output<typeof pageNames.row>;

const nameLists = (rows: readonly Named[]) => (part: Named["part"]) =>
  rows
    .filter((row) => row.part === part)
    .map(({ name, visits, views }) => ({ name, visits, views }));

const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.min(1, part / whole);

function sumOf(
  rows: readonly z.output<typeof siteCounters.row>[],
  metric: string,
  label?: string,
): number {
  return rows
    .filter((row) => row.metric === metric && (label === undefined || row.label === label))
    .reduce((sum, row) => sum + row.counted, 0);
}
