import { noVisitor } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, expect, it } from "vitest";

import {
  type Insights,
  openInsightsUnderTest,
  openRow,
  reportOf,
} from "./testing/insights-under-test.ts";

let insights: Insights;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

it("a table says when, in local time and UTC, how far, and why something was left out", async () => {
  const holder = insights.holder();
  const seen = openRow(holder, "2026-03-02T22:30:00.000Z", { leads_to: "file" });
  const left = { exclusion: "mail-scanner", visitor_id: noVisitor, country: "", region: "" };
  await insights.store(
    [seen, openRow(holder, "2026-03-03T08:00:00.000Z", left)],
    [reportOf(seen, { seconds: 42, pages: 2, pages_total: 3, downloaded: true })],
  );
  const url = `/api/insights/links/${holder.links[0]}/opens.csv?from=2026-03-01&to=2026-03-31`;
  const answer = await insights.get(holder, `${url}&zone=Asia/Jerusalem`);
  expect(answer.headers["content-type"]).toBe("text/csv");
  expect(answer.headers["content-disposition"]).toContain("opens%202026-03-01%202026-03-31.csv");
  expect(answer.body).toBe(
    [
      "\uFEFFtime_local,time_utc,state,left_out_because,visitor,seconds,pages,pages_total,downloaded,country,region,device,browser,source,channel",
      "2026-03-03 00:30:00,2026-03-02T22:30:00.000Z,seen,,1,42,2,3,yes,IL,Haifa,desktop,Firefox,linkedin.com,social",
      "2026-03-03 10:00:00,2026-03-03T08:00:00.000Z,clicked,mail-scanner,,,,,no,,,desktop,Firefox,linkedin.com,social",
      "",
    ].join("\r\n"),
  );
});

it("no cell computes anything in a spreadsheet", async () => {
  const holder = insights.holder();
  const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'a"b,c'];
  await insights.store(
    formulas.map((referrer_domain) =>
      openRow(holder, "2026-03-02T08:00:00.000Z", { referrer_domain }),
    ),
  );
  const url = `/api/insights/links/${holder.links[0]}/opens.csv?from=2026-03-01&to=2026-03-31`;
  const { body } = await insights.get(holder, `${url}&zone=UTC`);
  for (const formula of formulas.slice(0, 4)) expect(body).toContain(`,'${formula},social`);
  expect(body).toContain(',"a""b,c",social');
  expect(body).not.toMatch(/,[=+@\t-]/);
});

it("a table of many thousand rows is sent as it is read", async () => {
  const holder = insights.holder();
  const rows = Array.from({ length: 20_000 }, (_, second) =>
    openRow(holder, new Date(Date.parse("2026-03-02T00:00:00Z") + second * 1000).toISOString()),
  );
  await insights.store(rows);
  const url = `/api/insights/links/${holder.links[0]}/opens.csv?from=2026-03-01&to=2026-03-31`;
  const { body } = await insights.get(holder, `${url}&zone=UTC`);
  expect(body.split("\r\n")).toHaveLength(rows.length + 2);
});
