import { randomUUID } from "node:crypto";

import { insightCalls } from "@pro-talent/schemas/insights/calls";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import { exclusions } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  internalToken,
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
const listAnswer = insightCalls["GET /api/insights/links/:linkId/opens"].answer;
const march = "from=2026-03-01&to=2026-03-31&zone=Asia/Jerusalem";

async function ofLink(holder: Holder, query = march, linkId = holder.links[0]) {
  const answer = await insights.get(holder, `/api/insights/links/${linkId}?${query}`);
  expect(answer.statusCode).toBe(200);
  return linkAnswer.parse(answer.json());
}

describe("an owner sees", () => {
  it("a click on a link elsewhere as an open, a file only once it was seen", async () => {
    const holder = insights.holder(2);
    const [elsewhere, file] = holder.links;
    const fetched = openRow(holder, "2026-03-02T08:00:00.000Z", {
      link_id: file,
      leads_to: "file",
    });
    const seen = openRow(holder, "2026-03-02T09:00:00.000Z", { link_id: file, leads_to: "file" });
    const click = openRow(holder, "2026-03-02T10:00:00.000Z", { link_id: elsewhere });
    const total = { pages: 3, pages_total: 4 };
    await insights.store(
      [fetched, seen, click],
      [reportOf(seen, { seconds: 5 }), reportOf(seen, { ...total, seconds: 65, downloaded: true })],
    );
    expect((await ofLink(holder)).totals).toMatchObject({ opens: 1, fetched: 0 });
    const { totals, viewing } = await ofLink(holder, march, file);
    expect(totals).toMatchObject({ opens: 1, fetched: 1, lastAt: "2026-03-02T09:00:00.000Z" });
    expect(viewing).toEqual({
      seen: 1,
      medianSeconds: 65,
      medianPages: 3,
      pagesTotal: 4,
      downloads: 1,
    });
  });

  it("opens of their portfolio without a link when they ask for them, and in no sum about links", async () => {
    const holder = insights.holder();
    const stranger = insights.holder();
    const own = openRow(holder, "2026-03-02T08:00:00.000Z", {
      link_id: holder.accountId,
      leads_to: "profile",
    });
    await insights.store([own], [reportOf(own, { seconds: 9, pages: 2, pages_total: 3 })]);
    const { totals, viewing } = await ofLink(holder, march, holder.accountId);
    expect([totals.opens, viewing?.medianPages]).toEqual([1, 2]);
    expect((await ofLink(stranger, march, holder.accountId)).totals.opens).toBe(0);
    const all = await insights.get(holder, `/api/insights/links?${march}`);
    expect(overviewAnswer.parse(all.json()).totals.opens).toBe(0);
  });

  it("what was left out, by reason, and never as an open", async () => {
    const holder = insights.holder();
    const rows = exclusions.map((exclusion, hour) =>
      openRow(holder, `2026-03-02T${String(hour).padStart(2, "0")}:00:00.000Z`, {
        exclusion,
        visitor_id: noVisitor,
      }),
    );
    await insights.store([...rows, openRow(holder, "2026-03-03T08:00:00.000Z", rows[0])]);
    const { totals, excluded } = await ofLink(holder);
    expect(totals).toMatchObject({ opens: 0, excluded: exclusions.length + 1, lastAt: null });
    expect(excluded).toHaveLength(exclusions.length);
    expect(excluded[0]).toEqual({
      exclusion: "preview",
      requests: 2,
      lastAt: "2026-03-02T00:00:00.000Z",
    });
  });

  it("people who refuse to be recognised as opens, not as visitors", async () => {
    const holder = insights.holder();
    const visitor = randomUUID();
    await insights.store([
      openRow(holder, "2026-03-02T08:00:00.000Z", { visitor_id: visitor }),
      openRow(holder, "2026-03-02T09:00:00.000Z", { visitor_id: visitor }),
      openRow(holder, "2026-03-02T10:00:00.000Z", { visitor_id: noVisitor }),
    ]);
    const { totals } = await ofLink(holder);
    expect(totals).toMatchObject({ opens: 3, people: { count: 1, upTo: true } });
    const day = await ofLink(holder, "from=2026-03-02&to=2026-03-02&zone=UTC");
    expect(day.totals.people).toEqual({ count: 1, upTo: false });
    const list = await insights.get(
      holder,
      `/api/insights/links/${holder.links[0]}/opens?${march}`,
    );
    const { opens } = listAnswer.parse(list.json());
    expect(opens.map(({ visitor: number }) => number)).toEqual([null, 1, 1]);
  });

  it("a city from five visitors up, and below that the region alone", async () => {
    const holder = insights.holder();
    const at = "2026-03-02T08:00:00.000Z";
    const four = Array.from({ length: 4 }, () => openRow(holder, at, { city: "Haifa" }));
    const repeated = openRow(holder, at, { visitor_id: four[0]?.visitor_id });
    const other = openRow(holder, at, { city: "Acre" });
    await insights.store([...four, repeated, other]);
    const below = (await ofLink(holder)).places;
    expect(below).toEqual([{ country: "IL", region: "Haifa", city: "", opens: 6, people: 5 }]);
    await insights.store([openRow(holder, at, { city: "Haifa" })]);
    // Another range, as the first answer is kept for seconds.
    const { places } = await ofLink(holder, "from=2026-03-01&to=2026-03-30&zone=UTC");
    expect(places).toEqual([
      { country: "IL", region: "Haifa", city: "Haifa", opens: 6, people: 5 },
      { country: "IL", region: "Haifa", city: "", opens: 1, people: 1 },
    ]);
    const filtered = await ofLink(holder, `${march}&device=mobile`);
    expect(filtered.places).toEqual([]);
  });

  it("what is new since they looked", async () => {
    const holder = insights.holder(2);
    const [first, second] = holder.links;
    await insights.store([
      openRow(holder, "2026-03-02T08:00:00.000Z"),
      openRow(holder, "2026-03-10T08:00:00.000Z"),
      openRow(holder, "2026-03-10T08:00:00.000Z", { link_id: second }),
    ]);
    expect((await ofLink(holder)).fresh).toBe(2);
    insights.at("2026-03-05T00:00:00.000Z");
    const looked = await insights.app.inject({
      method: "POST",
      url: "/api/insights/looked",
      headers: { authorization: `Bearer ${holder.token}` },
      payload: { linkId: first },
    });
    expect(looked.json()).toEqual({ status: "recorded" });
    insights.at("2026-04-15T12:00:00.000Z");
    const after = await ofLink(holder);
    expect([after.fresh, after.lookedAt]).toEqual([1, "2026-03-05T00:00:00.000Z"]);
    const answer = await insights.get(holder, `/api/insights/links?${march}`);
    const { links } = overviewAnswer.parse(answer.json());
    expect(links.map(({ fresh }) => fresh)).toEqual([1, 1]);
  });

  it("the days of their own zone, and every hour of a day on which clocks change", async () => {
    const holder = insights.holder();
    // Jerusalem goes from 02:00 to 03:00 on 27 March 2026: this is 23:30 of the 26th, and 00:30 and 03:30.
    const times = ["2026-03-26T21:30", "2026-03-26T22:30", "2026-03-27T00:30"];
    await insights.store(times.map((time) => openRow(holder, `${time}:00.000Z`)));
    const zone = "zone=Asia/Jerusalem";
    const { series } = await ofLink(holder, `from=2026-03-26&to=2026-03-27&${zone}`);
    expect(series.map(({ opens }) => opens)).toEqual([1, 2]);
    const hours = await ofLink(holder, `from=2026-03-27&to=2026-03-27&${zone}&unit=hour`);
    expect(hours.series.map(({ opens }) => opens)).toEqual([
      1,
      0,
      1,
      ...Array.from({ length: 20 }, () => 0),
    ]);
  });

  it("all requests in pages, none lost where several arrived in one moment", async () => {
    const holder = insights.holder();
    const moments = Array.from({ length: 12 }, (_, minute) =>
      Array.from({ length: 11 }, () =>
        openRow(holder, `2026-03-02T08:${String(minute).padStart(2, "0")}:00.000Z`),
      ),
    ).flat();
    await insights.store(moments);
    const seen = new Set<string>();
    let before = "";
    for (let more = true; more;) {
      const url = `/api/insights/links/${holder.links[0]}/opens?${march}${before}`;
      const page = listAnswer.parse((await insights.get(holder, url)).json());
      for (const { openId } of page.opens) seen.add(openId);
      before = `&before=${page.opens.at(-1)?.at}`;
      more = page.more;
    }
    expect(seen.size).toBe(132);
    expect(moments.some((row) => seen.has(row.event_id))).toBe(false);
  });

  it("their very first open in every plan, and nothing else without analytics", async () => {
    const holder = insights.holder(1, { plan: "free" });
    await insights.store([
      openRow(holder, "2026-03-02T07:00:00.000Z", { exclusion: "preview" }),
      openRow(holder, "2026-03-02T08:00:00.000Z"),
      openRow(holder, "2026-03-03T08:00:00.000Z"),
    ]);
    const first = await insights.get(holder, "/api/insights/first-open");
    expect(first.json()).toMatchObject({ open: { at: "2026-03-02T08:00:00.000Z" } });
    const [link] = holder.links;
    for (const path of ["", "/compared", `/${link}`, `/${link}/opens`, `/${link}/opens.csv`]) {
      const url = `/api/insights/links${path}?${march}&links=${link}`;
      const answer = await insights.get(holder, url);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        403,
        { code: "insights_not_included" },
      ]);
    }
  });

  it("a refusal of ranges that are too long, reversed, or in no zone", async () => {
    const holder = insights.holder();
    const url = "/api/insights/links";
    const codes = [
      "from=2020-01-01&to=2026-01-01&zone=UTC",
      "from=2026-03-02&to=2026-03-01&zone=UTC",
      "from=2026-03-01&to=2026-03-02&zone=Asia/Nowhere",
    ].map(async (query): Promise<unknown> => {
      const answer = await insights.get(holder, `${url}?${query}`);
      return answer.json();
    });
    expect(await Promise.all(codes)).toMatchObject([
      { code: "range_too_long" },
      { code: "bad_request" },
      { code: "bad_request" },
    ]);
  });
});

describe("the first opens of links, for webhooks and mails", () => {
  it("are those at or after an instant, each with where and on what it was; fetched or excluded is not opened", async () => {
    const holder = insights.holder(3);
    const [early, late, never] = holder.links;
    const at = (link: string | undefined, instant: string, about = {}) =>
      openRow(holder, instant, { link_id: link, country: "IL", device_class: "mobile", ...about });
    await insights.store([
      at(early, "2026-03-01T08:00:00.000Z"),
      at(early, "2026-03-05T08:00:00.000Z"),
      at(late, "2026-03-02T08:00:00.000Z", { exclusion: "crawler" }),
      at(late, "2026-03-04T08:00:00.000Z", { country: "", device_class: "tablet" }),
      at(late, "2026-03-05T08:00:00.000Z"),
      // Fetched, and never seen.
      at(never, "2026-03-05T08:00:00.000Z", { leads_to: "file" }),
    ]);
    const ask = async (since: string) => {
      const answer = await insights.app.inject({
        method: "POST",
        url: "/internal/insights/first-opens",
        headers: { authorization: `Bearer ${internalToken}` },
        payload: { accountId: holder.accountId, since },
      });
      expect(answer.statusCode).toBe(200);
      return internalInsightCalls["POST /internal/insights/first-opens"].answer.parse(
        answer.json(),
      );
    };
    const first = {
      linkId: early,
      at: "2026-03-01T08:00:00.000Z",
      country: "IL",
      device: "mobile",
    };
    const second = {
      linkId: late,
      at: "2026-03-04T08:00:00.000Z",
      country: null,
      device: "tablet",
    };
    expect((await ask("2026-02-01T00:00:00.000Z")).opens).toEqual([first, second]);
    expect((await ask("2026-03-01T08:00:00.001Z")).opens).toEqual([second]);
    expect((await ask("2026-03-04T08:00:00.001Z")).opens).toEqual([]);

    const openedIn = async (from: string, until: string) => {
      const answer = await insights.app.inject({
        method: "POST",
        url: "/internal/insights/opened",
        headers: { authorization: `Bearer ${internalToken}` },
        payload: { from, until },
      });
      const { links } = internalInsightCalls["POST /internal/insights/opened"].answer.parse(
        answer.json(),
      );
      return links.filter(({ accountId }) => accountId === holder.accountId);
    };
    const { accountId } = holder;
    expect(await openedIn("2026-03-02T00:00:00.000Z", "2026-03-05T00:00:00.000Z")).toEqual([
      { accountId, linkId: late, lastAt: "2026-03-04T08:00:00.000Z" },
    ]);
    const all = await openedIn("2026-03-01T00:00:00.000Z", "2026-03-06T00:00:00.000Z");
    expect(new Set(all.map(({ linkId }) => linkId))).toEqual(new Set([early, late]));
  });
});
