import { insightCalls } from "@pro-talent/schemas/insights/calls";
import { noVisitor } from "@pro-talent/schemas/links/opens";
import { splitCallName } from "@pro-talent/schemas/primitives/calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { arrivals } from "./questions/arrivals.ts";
import { breakdown } from "./questions/breakdown.ts";
import { excluded } from "./questions/excluded.ts";
import { firstOpens } from "./questions/first-opens.ts";
import { fresh } from "./questions/fresh.ts";
import { allOpens, firstOpen, firstOpenAt, opens } from "./questions/opens.ts";
import { places } from "./questions/places.ts";
import { series } from "./questions/series.ts";
import { totals } from "./questions/totals.ts";
import { viewing } from "./questions/viewing.ts";
import {
  type Holder,
  type Insights,
  internalToken,
  openInsightsUnderTest,
  openRow,
  reportOf,
} from "./testing/insights-under-test.ts";

const march = "from=2026-03-01&to=2026-03-31&zone=UTC";

let insights: Insights;
/** Has opens of every kind. */
let owner: Holder;
/** Has a link of their own that was never opened. */
let stranger: Holder;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  owner = insights.holder(2);
  stranger = insights.holder(1);
  const at = "2026-03-02T08:00:00.000Z";
  const seen = openRow(owner, at, { leads_to: "file" });
  await insights.store(
    [
      seen,
      ...Array.from({ length: 6 }, () => openRow(owner, at)),
      openRow(owner, at, { exclusion: "preview", visitor_id: noVisitor }),
    ],
    [reportOf(seen, { seconds: 9 })],
  );
});
afterAll(() => insights.close());

const link = (holder: Holder): string => holder.links[0] ?? "";
const unknown = "99999999-9999-4999-8999-999999999999";

/** Every call about opens with a link of another owner in it, and the same with a link that does not exist. */
const calls: Readonly<Record<string, (linkId: string) => string>> = {
  "GET /api/insights/links": () => `/api/insights/links?${march}`,
  "GET /api/insights/links/compared": (id) => `/api/insights/links/compared?${march}&links=${id}`,
  "GET /api/insights/links/:linkId": (id) => `/api/insights/links/${id}?${march}`,
  "GET /api/insights/links/:linkId/opens": (id) =>
    `/api/insights/links/${id}/opens?${march}&excluded=true`,
  "GET /api/insights/links/:linkId/opens.csv": (id) =>
    `/api/insights/links/${id}/opens.csv?${march}`,
  "GET /api/insights/first-open": () => "/api/insights/first-open",
};
/** Tested with streams of their own. */
const others = ["GET /api/insights/live", "POST /api/insights/looked"];

describe("of another owner's links", () => {
  it("every call that reads is tried here", () => {
    expect([...Object.keys(calls), ...others].toSorted()).toEqual(
      Object.keys(insightCalls).toSorted(),
    );
  });

  it.each(Object.keys(calls))(
    "%s shows nothing, and answers as for a link that never was",
    async (name) => {
      const url = calls[name] ?? (() => "");
      const foreign = await insights.get(stranger, url(link(owner)));
      const missing = await insights.get(stranger, url(unknown));
      const text = (body: string, id: string): string =>
        body.replaceAll(id, "<link>").replaceAll(/"asOf":"[^"]+"/g, "");
      expect(foreign.statusCode).toBe(missing.statusCode);
      expect(text(foreign.body, link(owner))).toBe(text(missing.body, unknown));
      expect(foreign.body).not.toMatch(/linkedin|Firefox|Haifa|preview/);
      expect(foreign.headers["content-type"]).toBe(missing.headers["content-type"]);
      // The owner themself does see something there.
      expect((await insights.get(owner, url(link(owner)))).body).not.toBe(foreign.body);
    },
  );

  it.each(Object.keys(calls))("%s refuses who is not signed in", async (name) => {
    const { path } = splitCallName(name);
    const answer = await insights.app.inject({ url: path.replace(":linkId", link(owner)) });
    expect(answer.json()).toMatchObject({ code: "unauthorized" });
  });

  it("the same question of two owners has two answers, however soon one follows the other", async () => {
    const url = `/api/insights/links?${march}`;
    const answers = await Promise.all(
      [owner, stranger, owner, stranger].map((holder) => insights.get(holder, url)),
    );
    const opens = answers.map(
      (answer) => answer.json<{ totals: { opens: number } }>().totals.opens,
    );
    expect(opens).toEqual([7, 0, 7, 0]);
  });

  it("no call shows a link again that its owner has deleted", async () => {
    const holder = insights.holder(1);
    const deleted = link(holder);
    await insights.store([openRow(holder, "2026-03-02T08:00:00.000Z")]);
    holder.links.length = 0;
    const url = `/api/insights/links/${deleted}?${march}`;
    expect((await insights.get(holder, url)).json()).toMatchObject({ totals: { opens: 0 } });
    const overview = await insights.get(holder, `/api/insights/links?${march}`);
    expect(overview.json()).toMatchObject({ totals: { opens: 0 }, links: [] });
    const first = await insights.get(holder, "/api/insights/first-open");
    expect(first.json()).toEqual({ open: null });
  });

  it("a look at it is answered, and not recorded", async () => {
    const look = async (linkId: string) =>
      await insights.app.inject({
        method: "POST",
        url: "/api/insights/looked",
        headers: { authorization: `Bearer ${stranger.token}` },
        payload: { linkId },
      });
    for (const linkId of [link(owner), unknown]) {
      expect((await look(linkId)).json()).toEqual({ status: "recorded" });
      expect(stranger.looked.links).toEqual([]);
    }
    await look(link(stranger));
    expect(stranger.looked.links).toHaveLength(1);
  });

  it("internal calls need the token of the services", async () => {
    const call = (authorization: string) =>
      insights.app.inject({
        method: "POST",
        url: "/internal/insights/opens",
        headers: { authorization },
        payload: {
          accountId: owner.accountId,
          from: "2026-03-01T00:00:00.000Z",
          until: "2026-03-03T00:00:00.000Z",
        },
      });
    expect((await call(`Bearer ${owner.token}`)).statusCode).toBe(401);
    const answer = await call(`Bearer ${internalToken}`);
    expect(answer.json()).toMatchObject({
      links: [{ linkId: link(owner), opens: 7, people: { count: 7, upTo: false }, excluded: 1 }],
    });
  });
});

type Asked = { readonly question: { readonly sql: string }; readonly own: object };

const questions: readonly (readonly [string, Asked])[] = [
  ["totals", { question: totals, own: { middle: "2026-03-01 00:00:00.000" } }],
  ["series", { question: series, own: { edges: [1_772_323_200], ofEach: 1 } }],
  ["breakdown", { question: breakdown, own: {} }],
  ["places", { question: places, own: {} }],
  ["excluded", { question: excluded, own: {} }],
  ["viewing", { question: viewing, own: {} }],
  ["opens", { question: opens, own: { alsoExcluded: 1, count: 50 } }],
  ["all opens", { question: allOpens, own: {} }],
  ["when the first open was", { question: firstOpenAt, own: {} }],
  ["the first open", { question: firstOpen, own: {} }],
  ["fresh", { question: fresh, own: { ids: [unknown], seen: [0] } }],
  ["first opens", { question: firstOpens, own: { since: "2026-03-01 00:00:00.000" } }],
  ["arrivals", { question: arrivals, own: {} }],
];

describe("every question to ClickHouse", () => {
  const about = {
    from: "2026-03-01 00:00:00.000",
    until: "2026-04-01 00:00:00.000",
    country: "",
    device: "",
    source: "",
  };
  /** The rows of an answer; viewing has one in any case. */
  const rowsOf = async ({ question, own }: Asked, params: object): Promise<unknown[]> => {
    const result = await insights.clickhouse.query({
      query: question.sql,
      query_params: { ...about, ...own, ...params },
      format: "JSONEachRow",
    });
    const rows = await result.json<{ seen?: number }>();
    return rows.filter((row) => row.seen !== 0);
  };

  it.each(questions)(
    "%s finds an owner's rows by the owner and the link together",
    async (_, asked) => {
      const [ownLinks, ownAccount] = [owner.links, [owner.accountId]];
      expect(await rowsOf(asked, { accounts: ownAccount, links: ownLinks })).not.toEqual([]);
      for (const params of [
        { accounts: [stranger.accountId], links: ownLinks },
        { accounts: ownAccount, links: stranger.links },
        { accounts: ownAccount, links: [] },
        { accounts: [], links: ownLinks },
      ]) {
        expect(await rowsOf(asked, params)).toEqual([]);
      }
    },
  );

  it.each(questions)("%s cannot be asked without stating whose", async (_, asked) => {
    await expect(rowsOf(asked, { links: owner.links })).rejects.toThrow(/accounts/);
    await expect(rowsOf(asked, { accounts: [owner.accountId] })).rejects.toThrow(/links/);
  });

  it.each(questions)("%s reads the views of owners alone", (_, { question: { sql } }) => {
    expect(sql).toMatch(/FROM owner_(opens|places)\(/);
    expect(sql).not.toMatch(/link_opens|link_reports|events|_agg/);
  });
});
