import { randomUUID } from "node:crypto";

import { TileAnswer } from "@pro-talent/schemas/analysts/work-calls";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  internalToken,
  openInsightsUnderTest,
} from "../../testing/insights-under-test.ts";

let insights: Insights;
let analyst: Holder;
let administrator: Holder;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  administrator = insights.holder(0, { roles: ["holder", "administrator"] });
  await insights.insert("events_in", [
    ...visits(23, { channel: "search", country: "IL" }),
    ...visits(12, { channel: "direct", country: "IL" }),
    ...visits(8, { channel: "email", country: "DE" }),
    ...visits(16, { channel: "jobs", country: "DE" }),
    ...visits(3, { channel: "social", country: "LI" }),
  ]);
});
afterAll(() => insights.close());

const visits = (count: number, about: object): object[] =>
  Array.from({ length: count }, () => ({
    session_id: uuidV7(),
    visitor_id: randomUUID(),
    session_started_at: "2026-03-02T08:00:00.000Z",
    occurred_at: "2026-03-02T08:00:00.000Z",
    received_at: "2026-03-02T08:00:00.000Z",
    event_id: uuidV7(),
    kind: "page_view",
    page: "/",
    ...about,
  }));

const post = (who: Holder, url: string, payload: object) =>
  insights.app.inject({
    method: "POST",
    url: `/api/console/analyst/${url}`,
    headers: { authorization: `Bearer ${who.token}` },
    payload,
  });
const internal = (url: string, payload: object) =>
  insights.app.inject({
    method: "POST",
    url: `/internal/analyst-queries/${url}`,
    headers: { authorization: `Bearer ${internalToken}` },
    payload,
  });
const contentOf = (text: string) => ({
  kind: "query" as const,
  text,
  parameters: [{ name: "bots", kind: "number" as const, value: "0" }],
  chart: { kind: "bar" as const, x: "channel", y: ["visitors"] },
});
const days = { from: "2026-03-01", to: "2026-03-31" };
const byChannel = `SELECT channel, uniqExact(visitor_id) AS visitors, count() AS visits, avg(page_views) AS pages
  FROM sessions WHERE day BETWEEN {from:Date} AND {to:Date} AND is_bot = {bots:UInt8} GROUP BY channel ORDER BY visitors DESC`;

async function tile(who: Holder, content: ReturnType<typeof contentOf>) {
  const tileId = randomUUID();
  insights.tiles.set(tileId, { kind: "query", title: "By channel", content });
  const queryId = randomUUID();
  const answer = await post(who, `dashboards/${randomUUID()}/tiles/${tileId}`, {
    queryId,
    ...days,
  });
  return { answer, queryId };
}

describe("a tile of a dashboard", () => {
  it("names no small group, nor another one that would reveal it, and rounds what it names", async () => {
    const { answer, queryId } = await tile(administrator, contentOf(byChannel));
    expect(TileAnswer.parse(answer.json())).toMatchObject({
      kind: "query",
      title: "By channel",
      result: {
        isWithheld: true,
        columns: [{ name: "channel" }, { name: "visitors" }, { name: "visits" }, { name: "pages" }],
        rows: [
          ["search", 20, 20, 1],
          ["jobs", 10, 10, 1],
          ["direct", 10, 10, 1],
        ],
      },
    });
    expect(insights.ledger.records.at(-1)).toMatchObject({
      queryId,
      analystId: administrator.accountId,
      channel: "dashboard",
      outcome: "shown",
      text: byChannel,
      parameters: { bots: "0", ...days },
    });
  });

  it("shows a ready-made question for the same days", async () => {
    const tileId = randomUUID();
    insights.tiles.set(tileId, { kind: "question", question: "channels", chart: "bar" });
    const asked = { queryId: randomUUID(), ...days };
    const answer = await post(analyst, `dashboards/${randomUUID()}/tiles/${tileId}`, asked);
    expect(answer.json()).toMatchObject({
      kind: "question",
      chart: "bar",
      answer: {
        groups: [
          { name: "search", visitors: 20, amount: 20 },
          { name: "direct", visitors: 10, amount: 10 },
          { name: "jobs", visitors: 10, amount: 10 },
        ],
        // Eight by mail and three from a network; the numbers of tiles are tens.
        others: { visitors: 10, amount: 10 },
        total: { visitors: 60, amount: 60 },
      },
    });
    const backwards = { queryId: randomUUID(), from: days.to, to: days.from };
    const refused = await post(analyst, `dashboards/${randomUUID()}/tiles/${tileId}`, backwards);
    expect(refused.json()).toMatchObject({ code: "range_too_long" });
  });

  it("is refused, as a fact, when the query says of its groups what cannot be withheld", async () => {
    const { answer, queryId } = await tile(
      analyst,
      contentOf("SELECT channel, count() AS visits FROM sessions GROUP BY channel"),
    );
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "query_not_withheld",
      errors: [{ message: expect.stringContaining("uniqExact(visitor_id)") }],
    });
    expect(insights.ledger.records.at(-1)).toMatchObject({ queryId, outcome: "refused" });
  });

  it("is for those who may see analytics, and the internal calls for services alone", async () => {
    for (const who of [insights.holder(), insights.holder(0, { roles: ["holder", "officer"] })]) {
      expect((await tile(who, contentOf(byChannel))).answer.statusCode).toBe(403);
    }
    const asked = { queryId: randomUUID(), text: byChannel, parameters: {} };
    expect((await post(administrator, "queries/withheld", asked)).statusCode).toBe(403);
    const payload = contentOf(byChannel);
    const url = "/internal/analyst-queries/check";
    const answer = await insights.app.inject({ method: "POST", url, payload });
    expect(answer.statusCode).toBe(401);
  });
});

it("a query is answered to its author as a dashboard would show it", async () => {
  const text =
    "SELECT uniqExact(visitor_id) AS visitors FROM sessions WHERE country = {country:String}";
  const asked = (country: string) => ({ queryId: randomUUID(), text, parameters: { country } });
  const rowsIn = async (country: string) =>
    (await post(analyst, "queries/withheld", asked(country))).json<object>();
  expect(await rowsIn("IL")).toMatchObject({ rows: [[30]], isWithheld: false });
  expect(await rowsIn("LI")).toMatchObject({ rows: [], isWithheld: true });
  expect(await rowsIn("XX")).toMatchObject({ rows: [[0]], isWithheld: false });
});

it("a delivery is answered in the name of its account, and recorded as one", async () => {
  const accountId = analyst.accountId;
  const tileOf = { kind: "query", title: "By channel", content: contentOf(byChannel) };
  const asked = { accountId, queryId: randomUUID(), channel: "delivery", tile: tileOf, ...days };
  const answer = await internal("withheld", asked);
  expect(answer.json()).toMatchObject({ kind: "query", result: { isWithheld: true } });
  expect(insights.ledger.records.at(-1)).toMatchObject({
    analystId: accountId,
    channel: "delivery",
  });
});

const counted = "uniqExact(visitor_id) AS visitors";
it.each([
  `SELECT toMonday(day) AS week, ${counted} FROM sessions GROUP BY week ORDER BY week`,
  `SELECT if(country IN ('IL', 'DE'), country, 'other') AS place, device_class, uniq(visitor_id) FROM sessions GROUP BY place, device_class`,
  `SELECT page, ${counted}, uniqExact(session_id), count() FROM events WHERE kind = 'page_view' AND page LIKE '/ats%' GROUP BY page`,
  `SELECT channel, ${counted}, avg(engaged_seconds) FROM sessions AS s GROUP BY 1 ORDER BY 2 DESC`,
  `SELECT ${counted} FROM sessions`,
])("small groups can be withheld of %s", async (text) => {
  expect((await internal("check", contentOf(text))).json()).toEqual({ refused: null });
});

it.each([
  [`SELECT channel, count() FROM sessions GROUP BY channel`, "uniqExact(visitor_id)"],
  [`SELECT channel, ${counted}, uniq(visitor_id) FROM sessions GROUP BY channel`, "one column"],
  [`SELECT channel, ${counted} FROM sessions GROUP BY channel WITH ROLLUP`, "WITH"],
  [`SELECT channel, ${counted} FROM sessions GROUP BY channel WITH TOTALS`, "WITH"],
  [`SELECT channel, ${counted} FROM sessions GROUP BY GROUPING SETS ((channel), ())`, "GROUPING"],
  [`SELECT channel, ${counted} FROM sessions GROUP BY channel HAVING visitors = 1`, "HAVING"],
  [`SELECT channel, ${counted} FROM sessions GROUP BY channel ORDER BY channel LIMIT 3`, "LIMIT"],
  [`SELECT arrayJoin([channel, 'all']) AS c, ${counted} FROM sessions GROUP BY c`, "arrayJoin"],
  [`SELECT c, ${counted} FROM sessions ARRAY JOIN [channel, 'all'] AS c GROUP BY c`, "ARRAY"],
  [`SELECT channel, ${counted}, countIf(country = 'LI') FROM sessions GROUP BY channel`, "countIf"],
  [`SELECT channel, ${counted}, sum(is_bounce) FROM sessions GROUP BY channel`, "sum"],
  [`SELECT channel, ${counted}, avg(is_bounce) FROM sessions GROUP BY channel`, "avg"],
  [`SELECT channel, ${counted}, max(page_views) FROM sessions GROUP BY channel`, "max"],
  [
    `SELECT channel, ${counted}, count(DISTINCT country) FROM sessions GROUP BY channel`,
    "countDistinct",
  ],
  [`SELECT channel, ${counted}, groupArray(country) FROM sessions GROUP BY channel`, "groupArray"],
  [`SELECT channel, uniqExactIf(visitor_id, is_bot = 0) AS v FROM sessions GROUP BY channel`, "If"],
  [`SELECT channel, ${counted}, visitors + 1 AS more FROM sessions GROUP BY channel`, "visitors"],
  [`SELECT channel, ${counted}, count() AS n, n * 2 AS twice FROM sessions GROUP BY channel`, "n "],
  [
    `SELECT channel, ${counted} FROM sessions GROUP BY channel ORDER BY countIf(is_bot = 1)`,
    "countIf",
  ],
  [`SELECT 1 AS visitor_id, ${counted} FROM sessions`, "visitor_id"],
  [`SELECT page AS visitor_id, uniqExact(visitor_id) FROM events GROUP BY page`, "visitor_id"],
  [`SELECT *, ${counted} FROM sessions GROUP BY ALL`, "ALL"],
  [`SELECT channel, ${counted} FROM (SELECT * FROM sessions LIMIT 7) GROUP BY channel`, "LIMIT"],
  [`SELECT channel, ${counted} FROM (SELECT * FROM sessions) GROUP BY channel`, "one SELECT"],
  [`SELECT day, visitors FROM page_views_daily`, "sessions or events"],
  [
    `SELECT a.channel, ${counted} FROM sessions AS a JOIN events AS b USING (session_id) GROUP BY a.channel`,
    "JOIN",
  ],
  [`SELECT channel, ${counted} FROM sessions GROUP BY channel UNION ALL SELECT 'x', 9`, "UNION"],
  [
    `SELECT channel, ${counted}, row_number() OVER (ORDER BY channel) FROM sessions GROUP BY channel`,
    "OVER",
  ],
  [`WITH 1 AS one SELECT channel, ${counted} FROM sessions GROUP BY channel`, "WITH"],
  [`SELECT nope FROM`, "yntax"],
])("small groups cannot be withheld of %s", async (text, why) => {
  const { refused } = (await internal("check", contentOf(text))).json<{
    refused: { message: string } | null;
  }>();
  expect(refused?.message).toContain(why);
});
