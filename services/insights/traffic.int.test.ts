import { randomUUID } from "node:crypto";

import { trafficCalls } from "@pro-talent/schemas/insights/calls";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";

import { type Insights, openInsightsUnderTest } from "./testing/insights-under-test.ts";

let insights: Insights;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

/** A visit as the collector stores it: its start, and views of pages a minute apart. */
function visit(startedAt: string, pages: readonly string[], about: object = {}): object[] {
  const session = {
    session_id: uuidV7(),
    session_started_at: startedAt,
    visitor_id: randomUUID(),
    channel: "direct",
    country: "IL",
    device_class: "desktop",
    page_language: "he",
    received_at: startedAt,
    ...about,
  };
  const at = (minute: number): string =>
    new Date(Date.parse(startedAt) + minute * 60_000).toISOString();
  return [
    { ...session, event_id: uuidV7(), kind: "session_start", occurred_at: startedAt },
    ...pages.map((page, minute) => {
      const view = { kind: "page_view", page, page_language: "", occurred_at: at(minute) };
      return { ...session, ...view, event_id: uuidV7() };
    }),
  ];
}

it("administrators see visits, where they came from, what they read and reached; no one else does", async () => {
  const visitor = randomUUID();
  const campaign = { channel: "email", utm_campaign: "spring", page_language: "en" };
  await insights.insert("events_in", [
    ...visit("2026-03-02T08:00:00.000Z", ["/", "/pricing"], { visitor_id: visitor }),
    ...visit("2026-03-03T22:30:00.000Z", ["/"], { visitor_id: visitor, country: "US" }),
    ...visit("2026-03-04T08:00:00.000Z", ["/", "/newsletter/confirmed"], campaign),
    ...visit("2026-03-05T08:00:00.000Z", ["/"], { is_bot: 1 }),
    ...visit("2026-02-20T08:00:00.000Z", ["/"]),
  ]);
  const day = "2026-03-03";
  await insights.insert("counters_in", [
    { day, metric: "consent", label: "granted", detail: "accept_all", count: 3 },
    { day, metric: "consent", label: "rejected", detail: "reject_all", count: 2 },
    { day, metric: "page_view", page: "/", label: "no_consent", count: 5 },
    { day: "2026-01-01", metric: "page_view", page: "/", label: "no_consent", count: 9 },
  ]);
  const url = "/api/console/traffic?from=2026-03-01&to=2026-03-14&zone=Asia/Jerusalem";
  const administrator = insights.holder(0, { roles: ["holder", "administrator"] });
  const answer = await insights.get(administrator, url);
  const traffic = trafficCalls["GET /api/console/traffic"].answer.parse(answer.json());
  expect(traffic.totals).toEqual({
    visits: 3,
    visitors: 2,
    views: 5,
    bounceRate: 1 / 3,
    medianSeconds: 60,
    countedViews: 5,
  });
  expect(traffic.before).toEqual({ visits: 1, visitors: 1, views: 1 });
  // 22:30 UTC of the 3rd is the 4th in Jerusalem.
  expect(traffic.series.map(({ visits }) => visits).slice(0, 5)).toEqual([0, 1, 0, 2, 0]);
  expect(traffic.pages).toEqual([
    { name: "/", visits: 3, views: 3 },
    { name: "/newsletter/confirmed", visits: 1, views: 1 },
    { name: "/pricing", visits: 1, views: 1 },
  ]);
  expect(traffic.channels).toEqual([
    { name: "direct", visits: 2, views: 3 },
    { name: "email", visits: 1, views: 2 },
  ]);
  expect(traffic.campaigns).toEqual([{ name: "spring", visits: 1, views: 2 }]);
  expect(traffic.countries.map(({ name }) => name)).toEqual(["IL", "US"]);
  expect(traffic.languages.map(({ name, visits }) => [name, visits])).toEqual([
    ["he", 2],
    ["en", 1],
  ]);
  expect(traffic.consent).toEqual({ granted: 3, rejected: 2, withdrawn: 0 });
  expect(traffic.goals).toEqual([
    { goal: "waitlist-joined", visits: 1, rate: 1 / 3 },
    { goal: "checkout-done", visits: 0, rate: 0 },
  ]);
  const mailed = await insights.get(administrator, `${url}&channel=email`);
  expect(mailed.json()).toMatchObject({ totals: { visits: 1 }, pages: [{}, {}] });
  const refused = await insights.get(insights.holder(), url);
  expect(refused.json()).toMatchObject({ code: "forbidden" });
});
