import { randomUUID } from "node:crypto";

import { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import { QuestionName } from "@pro-talent/schemas/analysts/questions";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
} from "../../testing/insights-under-test.ts";

let insights: Insights;
let analyst: Holder;

/** A visit that views these pages, a minute after each other. */
function visit(startedAt: string, pages: readonly string[], channel = "direct"): object[] {
  const session = {
    session_id: uuidV7(),
    visitor_id: randomUUID(),
    session_started_at: startedAt,
    received_at: startedAt,
    kind: "page_view",
    channel,
  };
  return pages.map((page, minute) => {
    const occurred_at = new Date(Date.parse(startedAt) + minute * 60_000).toISOString();
    return { ...session, event_id: uuidV7(), page, occurred_at };
  });
}

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  // Nine visits from a search, five direct; each of two pages.
  const visits = Array.from({ length: 14 }, (_, at) => {
    const startedAt = `2026-03-0${2 + (at % 5)}T08:00:00.123Z`;
    return visit(startedAt, ["/", "/pricing"], at < 9 ? "search" : "direct");
  });
  await insights.insert("events_in", visits.flat());
  const decided = { day: "2026-03-02", metric: "consent", detail: "accept_all" };
  const count = (label: string, counted: number) => ({ ...decided, label, count: counted });
  await insights.insert("counters_in", [count("granted", 30), count("rejected", 3)]);
});
afterAll(() => insights.close());

describe("a ready-made question", () => {
  const range = { from: "2026-03-01", to: "2026-03-31" };
  const ask = async (question: string, days: object = range) =>
    await insights.app.inject({
      method: "POST",
      url: `/api/console/analyst/questions/${question}`,
      headers: { authorization: `Bearer ${analyst.token}` },
      payload: days,
    });

  it.each(QuestionName.options)("%s has an answer", async (question) => {
    const answer = await ask(question);
    expect(answer.statusCode).toBe(200);
    QuestionAnswer.parse(answer.json());
  });

  it("names groups of five visitors and more", async () => {
    expect((await ask("channels")).json()).toEqual({
      kind: "groups",
      groups: [
        { name: "search", visitors: 9, amount: 9 },
        { name: "direct", visitors: 5, amount: 5 },
      ],
      others: null,
      total: { visitors: 14, amount: 14 },
    });
    expect((await ask("reading-paths")).json()).toMatchObject({
      groups: [{ name: "/ → /pricing", visitors: 14 }],
    });
  });

  it("withholds a group under five, and another one with it", async () => {
    expect((await ask("consent-decisions")).json()).toEqual({
      kind: "groups",
      groups: [],
      others: { visitors: 33, amount: 33 },
      total: { visitors: 33, amount: 33 },
    });
  });

  it("names the 2,000 largest groups, and answers those beyond them together with the small ones", async () => {
    const [large, small] = [2_004, 3];
    const [day, pages] = ["2026-05-02", large + small];
    const at = `${day}T08:00:00.000Z`;
    const seen = Array.from({ length: pages }, (_, page) =>
      Array.from({ length: page < large ? 5 : 1 }, () =>
        visit(at, [`/page-${String(page).padStart(4, "0")}`]),
      ),
    );
    await insights.insert("events_in", seen.flat(2));
    const answer = QuestionAnswer.parse((await ask("entry-pages", { from: day, to: day })).json());
    const visitors = large * 5 + small;
    expect(answer).toMatchObject({
      others: { visitors: 4 * 5 + small, amount: 4 * 5 + small },
      total: { amount: visitors },
    });
    // The engine keeps 32 bits of each: of 10,000 visitors, two share them in one run of a hundred.
    const { groups, total } = answer.kind === "groups" ? answer : { groups: [], total: null };
    expect(Math.abs(visitors - (total?.visitors ?? 0))).toBeLessThanOrEqual(2);
    const names = groups.map(({ name }) => name);
    expect(names).toHaveLength(2_000);
    expect(names).not.toContain("/page-2000");
  });

  it("follows visitors through steps and weeks", async () => {
    expect((await ask("funnel")).json()).toMatchObject({
      steps: [
        { name: "visit", visitors: 14 },
        { name: "pricing", visitors: 14 },
        { name: "join", visitors: 0 },
        { name: "checkout-done", visitors: 0 },
      ],
    });
    expect((await ask("retention")).json()).toMatchObject({
      cohorts: [{ week: "2026-03-02", visitors: 14, returned: [0, 0, 0, 0, 0, 0, 0, 0] }],
    });
  });

  it("is refused for a range that is too long or ends before it begins", async () => {
    for (const days of [
      { from: "2024-01-01", to: "2026-03-01" },
      { from: range.to, to: range.from },
    ]) {
      expect((await ask("channels", days)).json()).toMatchObject({ code: "range_too_long" });
    }
  });
});
