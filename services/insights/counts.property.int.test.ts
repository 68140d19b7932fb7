import { randomUUID } from "node:crypto";

import { insightCalls } from "@pro-talent/schemas/insights/calls";
import type { OpenRow } from "@pro-talent/schemas/links/opens";
import type { ViewingRow } from "@pro-talent/schemas/links/viewing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  noVisitor,
  openInsightsUnderTest,
  openRow,
  reportOf,
} from "./testing/insights-under-test.ts";

let insights: Insights;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

const overviewAnswer = insightCalls["GET /api/insights/links"].answer;
const linkAnswer = insightCalls["GET /api/insights/links/:linkId"].answer;

async function ofLink(holder: Holder, query: string) {
  const answer = await insights.get(holder, `/api/insights/links/${holder.links[0]}?${query}`);
  return linkAnswer.parse(answer.json());
}

const hourMs = 60 * 60 * 1000;
const startMs = Date.parse("2026-03-01T00:00:00.000Z");

/** Opens of three links in March, of few visitors, sources and kinds, with reports of some. */
const histories = fc.array(
  fc.record({
    link: fc.nat(2),
    hour: fc.nat(31 * 24 - 1),
    leads_to: fc.constantFrom("file", "external"),
    exclusion: fc.constantFrom("", "", "", "preview", "repeated"),
    visitor: fc.nat(4),
    country: fc.constantFrom("IL", "US"),
    referrer_domain: fc.constantFrom("", "linkedin.com"),
    device_class: fc.constantFrom("desktop", "mobile"),
    reports: fc.nat(2),
  }),
  { minLength: 1, maxLength: 40 },
);
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;

function storedOf(holder: Holder, history: History): { opens: OpenRow[]; reports: ViewingRow[] } {
  const visitors = Array.from({ length: 15 }, () => randomUUID());
  const opens = history.map(({ link, hour, visitor, reports: _reports, ...about }) =>
    openRow(holder, new Date(startMs + hour * hourMs).toISOString(), {
      ...about,
      link_id: holder.links[link],
      visitor_id:
        visitor === 0 || about.exclusion !== "" ? noVisitor : visitors[link * 5 + visitor],
    }),
  );
  const reports = opens.flatMap((open, index) =>
    Array.from({ length: history[index]?.reports ?? 0 }, (_, at) =>
      reportOf(open, { seconds: at + 1 }),
    ),
  );
  return { opens, reports };
}

describe("any history of opens", () => {
  it("is counted as it happened: in all, by link, by day, by filter", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const holder = insights.holder(3);
        const { opens, reports } = storedOf(holder, history);
        await insights.store(opens, reports);
        const seen = new Set(reports.map((report) => report.event_id));
        const isOpen = (row: OpenRow): boolean =>
          row.exclusion === "" && (row.leads_to === "external" || seen.has(row.event_id));
        const truth = (rows: readonly OpenRow[]) => {
          const people = new Set(rows.filter(isOpen).map((row) => row.visitor_id));
          people.delete(noVisitor);
          return {
            opens: rows.filter(isOpen).length,
            people: { count: people.size, upTo: true },
            fetched: rows.filter((row) => row.exclusion === "" && !isOpen(row)).length,
            excluded: rows.filter((row) => row.exclusion !== "").length,
          };
        };
        const utc = "from=2026-03-01&to=2026-03-31&zone=UTC";
        const all = overviewAnswer.parse(
          (await insights.get(holder, `/api/insights/links?${utc}`)).json(),
        );
        expect(all.totals).toMatchObject(truth(opens));
        const daysOf = (rows: readonly OpenRow[]): number[] =>
          Array.from({ length: 31 }, (_, day) => {
            const date = new Date(startMs + day * 24 * hourMs).toISOString().slice(0, 10);
            return rows.filter((row) => isOpen(row) && row.occurred_at.startsWith(date)).length;
          });
        expect(all.series.map((day) => day.opens)).toEqual(daysOf(opens));
        for (const link of all.links) {
          const own = opens.filter((row) => row.link_id === link.linkId);
          expect(link).toMatchObject(truth(own));
          expect(link.recent).toEqual(daysOf(own).slice(-14));
        }
        const filter = `${utc}&country=IL&source=direct&device=mobile`;
        const one = await ofLink(holder, filter);
        const matching = opens.filter(
          (row) =>
            row.link_id === holder.links[0] &&
            row.country === "IL" &&
            row.referrer_domain === "" &&
            row.device_class === "mobile",
        );
        expect(one.totals).toMatchObject(truth(matching));
        const whole = await ofLink(holder, utc);
        const sum = (rows: readonly { opens: number }[]): number =>
          rows.reduce((total, row) => total + row.opens, 0);
        for (const part of [whole.places, whole.sources, whole.devices, whole.browsers]) {
          expect(sum(part)).toBe(whole.totals.opens);
        }
        const april = await ofLink(holder, "from=2026-04-01&to=2026-05-01&zone=UTC");
        expect([april.totals.opens, april.before.opens]).toEqual([0, whole.totals.opens]);
      }),
      { numRuns: 10 },
    );
  }, 120_000);
});
