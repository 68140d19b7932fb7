import { z } from "zod";

import { defineQuestion } from "../ask.ts";

type SpanParams = { from: string; until: string };

const siteVisits = `site_visits(
  from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})`;
const siteViews = `site_views(
  from = {from:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')})`;
const ofChannel = "(empty({channel:String}) OR channel = {channel:String})";

/** Visits that began in the range, and in the one before it. */
export const visitTotals = defineQuestion<SpanParams & { middle: string; channel: string }>()({
  name: "visit-totals",
  sql: `SELECT
      at >= {middle:DateTime64(3, 'UTC')} AS isCurrent,
      count() AS visits,
      uniq(visitor_id) AS visitors,
      sum(views) AS views,
      countIf(is_bounce = 1) AS bounces,
      toUInt32(round(quantileExactInclusive(0.5)(seconds))) AS medianSeconds
    FROM ${siteVisits}
    WHERE ${ofChannel}
    GROUP BY isCurrent`,
  row: z.object({
    isCurrent: z.int().transform(Boolean),
    visits: z.int(),
    visitors: z.int(),
    views: z.int(),
    bounces: z.int(),
    medianSeconds: z.int(),
  }),
});

/** Visits by hours, days or weeks that begin at `edges`. */
export const visitSeries = defineQuestion<
  SpanParams & { edges: readonly number[]; channel: string }
>()({
  name: "visit-series",
  sql: `SELECT
      toUInt32(roundDown(toUnixTimestamp(at), {edges:Array(UInt32)})) AS edge,
      count() AS visits, sum(views) AS views
    FROM ${siteVisits}
    WHERE ${ofChannel}
    GROUP BY edge`,
  row: z.object({ edge: z.int(), visits: z.int(), views: z.int() }),
});

const namesMax = 50;

/** Where visits came from and what they were made with, in one pass; the most frequent first. */
export const visitNames = defineQuestion<SpanParams & { channel: string }>()({
  name: "visit-names",
  sql: `SELECT
      multiIf(grouping(channel) = 0, 'channel', grouping(campaign) = 0, 'campaign',
        grouping(country) = 0, 'country', 'device') AS part,
      multiIf(part = 'channel', channel, part = 'campaign', campaign, part = 'country', country, device) AS name,
      count() AS visits, sum(views) AS views
    FROM ${siteVisits}
    WHERE ${ofChannel}
    GROUP BY GROUPING SETS ((channel), (campaign), (country), (device))
    ORDER BY part, visits DESC, name
    LIMIT ${namesMax} BY part`,
  row: z.object({
    part: z.enum(["channel", "campaign", "country", "device"]),
    name: z.string(),
    visits: z.int(),
    views: z.int(),
  }),
});

/** Pages, and languages in which visits began. */
export const pageNames = defineQuestion<SpanParams & { channel: string }>()({
  name: "page-names",
  sql: `SELECT
      if(kind = 'page_view', 'page', 'language') AS part,
      if(kind = 'page_view', page, language) AS name,
      uniq(session_id) AS visits,
      countIf(kind = 'page_view') AS views
    FROM ${siteViews}
    WHERE kind IN ('page_view', 'session_start') AND ${ofChannel}
    GROUP BY part, name
    ORDER BY part, visits DESC, name
    LIMIT ${namesMax} BY part`,
  row: z.object({
    part: z.enum(["page", "language"]),
    name: z.string(),
    visits: z.int(),
    views: z.int(),
  }),
});

/** Visits that reached the page at the end of a goal. */
export const goals = defineQuestion<SpanParams & { channel: string; pages: readonly string[] }>()({
  name: "goals",
  sql: `SELECT page, uniq(session_id) AS visits
    FROM ${siteViews}
    WHERE kind = 'page_view' AND page IN {pages:Array(String)} AND ${ofChannel}
    GROUP BY page`,
  row: z.object({ page: z.string(), visits: z.int() }),
});

/** What is counted without a visit; days are UTC. */
export const siteCounters = defineQuestion<{ first: string; last: string }>()({
  name: "site-counters",
  sql: `SELECT metric, label, counted
    FROM site_counters(first = {first:Date}, last = {last:Date})`,
  row: z.object({ metric: z.string(), label: z.string(), counted: z.int() }),
});
