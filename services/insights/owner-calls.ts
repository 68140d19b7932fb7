import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { insightCalls } from "@pro-talent/schemas/insights/calls";
import { insightLimits as limit } from "@pro-talent/schemas/insights/limits";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

import { timeOf } from "./ask.ts";
import { type Asking, beginAsking, type InsightsContext } from "./asking.ts";
import { seenAt } from "./owners.ts";
import { breakdown } from "./questions/breakdown.ts";
import { excluded } from "./questions/excluded.ts";
import { fresh } from "./questions/fresh.ts";
import { firstOpenIn, opens } from "./questions/opens.ts";
import { spanParams } from "./questions/owner-opens.ts";
import { places } from "./questions/places.ts";
import { series } from "./questions/series.ts";
import { totals } from "./questions/totals.ts";
import { viewing } from "./questions/viewing.ts";
import { instantOfSeconds, lastDays, type Range, secondsOf } from "./range.ts";
import { openView, totalsOf, VisitorNumbers } from "./views.ts";

type OwnerCalls = Omit<
  typeof insightCalls,
  "GET /api/insights/live" | "GET /api/insights/links/:linkId/opens.csv"
>;

/** Days of each link that the overview draws. */
const recentDays = 14;

/** Account holders about their own links. */
export function ownerHandlers(context: InsightsContext): CallHandlers<OwnerCalls> {
  const { owners, questions, clock } = context;
  return {
    "GET /api/insights/links": ({ query }, { account }) =>
      overview(context, account.accountId, query),
    "GET /api/insights/links/compared": ({ query }, { account }) =>
      compared(context, account.accountId, query),
    "GET /api/insights/links/:linkId": ({ params, query }, { account }) =>
      ofLink(context, account.accountId, { ...params, ...query }),
    "GET /api/insights/links/:linkId/opens": ({ params, query }, { account }) =>
      listed(context, account.accountId, { ...params, ...query }),
    // Of a link that is not the caller's nothing is recorded, and the answer is the same.
    "POST /api/insights/looked": async ({ body: { linkId } }, { account: { accountId } }) => {
      const own = linkId === null || (await owners.linksOf(accountId)).includes(linkId);
      if (own) await owners.look(accountId, linkId);
      return { status: "recorded" as const };
    },
    "GET /api/insights/first-open": async (_input, { account: { accountId } }) => {
      if ((await owners.accessOf(accountId)) === "restricted") return { open: null };
      const links = await owners.linksOf(accountId);
      const oldestAt = await owners.oldestLinkAt(accountId);
      if (oldestAt === null) return { open: null };
      // Clocks of machines differ by less than a minute.
      const ever = { from: instantPlus(oldestAt, -60_000), until: nextSecond(clock()) };
      const row = await firstOpenIn(questions.ofOwner(accountId), links, ever);
      return { open: row === undefined ? null : openView(row, new VisitorNumbers()) };
    },
  };
}

type Query<Name extends keyof OwnerCalls> = z.output<
  OwnerCalls[Name]["query" & keyof OwnerCalls[Name]]
>;

async function overview(
  context: InsightsContext,
  accountId: string,
  query: Query<"GET /api/insights/links">,
) {
  const asking = await beginAsking(context, accountId, query);
  const { ask, range, about } = asking;
  const days = lastDays(query, recentDays);
  const recentSince = { ...about, from: timeOf(days[0] ?? range.from) };
  const nowMs = context.clock();
  const looked = await context.owners.looked(accountId);
  const [counted, all, recent, news] = await Promise.all([
    countsOf(asking),
    ask(series, { ...about, edges: secondsOf(range.edges), ofEach: 0 }),
    ask(series, { ...recentSince, edges: secondsOf(days), ofEach: 1 }),
    freshOf(asking, (linkId) => seenAt(looked, linkId), nowMs),
  ]);
  const recentOf = Map.groupBy(recent, (row) => row.linkId);
  const links = about.links.map((linkId) => ({
    linkId,
    ...counted.of(linkId),
    recent: filled(days, recentOf.get(linkId) ?? []).map((day) => day.opens),
    fresh: news(linkId),
  }));
  const lookedAt = looked.allAt;
  const asOf = instantFromMs(nowMs);
  return { ...counted.together(), series: filled(range.edges, all), links, lookedAt, asOf };
}

async function compared(
  context: InsightsContext,
  accountId: string,
  query: Query<"GET /api/insights/links/compared">,
) {
  const { unit, links: asked } = query;
  const asking = await beginAsking(context, accountId, query, { unit, asked });
  const { ask, range, about } = asking;
  const [counted, rows] = await Promise.all([
    countsOf(asking),
    ask(series, { ...about, edges: secondsOf(range.edges), ofEach: 1 }),
  ]);
  const rowsOf = Map.groupBy(rows, (row) => row.linkId);
  const links = asked.map((linkId) => ({
    linkId,
    totals: counted.of(linkId),
    series: filled(range.edges, rowsOf.get(linkId) ?? []),
  }));
  return { links };
}

async function ofLink(
  context: InsightsContext,
  accountId: string,
  { linkId, ...query }: Query<"GET /api/insights/links/:linkId"> & { linkId: string },
) {
  const choice = { unit: query.unit, asked: [linkId] };
  const asking = await beginAsking(context, accountId, query, choice);
  const { ask, range, about } = asking;
  const nowMs = context.clock();
  const looked = await context.owners.looked(accountId);
  const lookedAt = looked.links.find((look) => look.linkId === linkId)?.at ?? null;
  const [counted, over, where, parts, left, [seen], news] = await Promise.all([
    countsOf(asking),
    ask(series, { ...about, edges: secondsOf(range.edges), ofEach: 0 }),
    ask(places, about),
    ask(breakdown, about),
    ask(excluded, about),
    ask(viewing, about),
    freshOf(asking, () => lookedAt, nowMs),
  ]);
  return {
    ...counted.together(),
    series: filled(range.edges, over),
    places: [...where],
    sources: parts.filter((row) => row.part === "source"),
    devices: parts.filter((row) => row.part === "device"),
    browsers: parts.filter((row) => row.part === "browser"),
    excluded: [...left],
    viewing: seen === undefined || seen.seen === 0 ? null : seen,
    fresh: news(linkId),
    lookedAt,
    asOf: instantFromMs(nowMs),
  };
}

async function listed(
  context: InsightsContext,
  accountId: string,
  { linkId, ...query }: Query<"GET /api/insights/links/:linkId/opens"> & { linkId: string },
) {
  const { ask, about, range } = await beginAsking(context, accountId, query, { asked: [linkId] });
  const { before } = query;
  const rows = await ask(opens, {
    ...about,
    until: timeOf(before !== undefined && before < range.until ? before : range.until),
    alsoExcluded: Number(query.excluded),
    count: limit.listedMax,
  });
  const numbers = new VisitorNumbers();
  const more = (rows[0]?.matching ?? 0) > rows.length;
  return { opens: rows.map((row) => openView(row, numbers)), more };
}

/** Counts of the range and of the one before it, in one pass. */
async function countsOf({ ask, range, about }: Asking) {
  const middle = timeOf(range.from);
  const rows = await ask(totals, { ...about, middle, from: timeOf(range.before.from) });
  const current = rows.filter((row) => row.isCurrent);
  const earlier = rows.filter((row) => !row.isCurrent);
  return {
    together: () => ({ totals: totalsOf(current, range), before: totalsOf(earlier, range) }),
    of: (linkId: string) =>
      totalsOf(
        current.filter((row) => row.linkId === linkId),
        range,
      ),
  };
}

/** How often links were opened since their owner looked; in the whole range where they never did. */
async function freshOf(
  { ask, range, about: { links } }: Asking,
  seenOf: (linkId: string) => Instant | null,
  nowMs: number,
): Promise<(linkId: string) => number> {
  const seen = links.map((linkId) => Date.parse(seenOf(linkId) ?? range.from));
  if (seen.length === 0) return () => 0;
  const span = spanParams({ from: instantFromMs(Math.min(...seen)), until: nextSecond(nowMs) });
  const rows = await ask(fresh, { links, ids: links, seen, ...span });
  const counts = new Map(rows.map((row) => [row.linkId, row.opens]));
  return (linkId) => counts.get(linkId) ?? 0;
}

/** Up to now. Questions within one second are one question. */
const nextSecond = (nowMs: number): Instant => instantFromMs((Math.floor(nowMs / 1000) + 1) * 1000);

type Counted = { readonly edge: number; readonly opens: number; readonly people: number };

/** A row for each edge, in order, also where nothing happened. */
function filled(edges: Range["edges"], rows: readonly Counted[]) {
  const byEdge = new Map(rows.map((row) => [instantOfSeconds(row.edge), row]));
  return edges.map((at) => {
    const { opens: count = 0, people = 0 } = byEdge.get(at) ?? {};
    return { at, opens: count, people };
  });
}
