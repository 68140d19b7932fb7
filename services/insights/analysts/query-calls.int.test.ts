import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { Query, QueryResult } from "@pro-talent/schemas/analysts/calls";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
} from "../testing/insights-under-test.ts";

let insights: Insights;
let analyst: Holder;
let other: Holder;
const stored: string[] = [];

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  other = insights.holder(0, { roles: ["holder", "analyst"] });
  const visits = Array.from({ length: 14 }, (_, at) => visit(at));
  await insights.insert("events_in", visits.flat());
});
afterAll(() => insights.close());
beforeEach(() => {
  insights.ledger.answers = true;
});

/** Nine visits from a search, five direct; each of two pages. */
function visit(at: number): object[] {
  const session = {
    session_id: uuidV7(),
    visitor_id: randomUUID(),
    session_started_at: `2026-03-0${2 + (at % 5)}T08:00:00.123Z`,
    channel: at < 9 ? "search" : "direct",
    received_at: "2026-03-02T08:00:00.000Z",
  };
  stored.push(session.session_id, session.visitor_id);
  const at0 = session.session_started_at;
  const view = (page: string, occurred: string) => ({
    ...session,
    event_id: uuidV7(),
    kind: "page_view",
    page,
    occurred_at: occurred,
  });
  return [view("/", at0), view("/pricing", at0.replace("08:00", "08:01"))];
}

type Method = "GET" | "POST" | "DELETE";
const base = "/api/console/analyst";
const call = (who: Holder, method: Method, path: string, payload?: object) =>
  insights.app.inject({
    method,
    url: path.startsWith("/api") ? path : `${base}${path}`,
    headers: { authorization: `Bearer ${who.token}` },
    ...(payload && { payload }),
  });
const query = (text: string, more: object = {}) =>
  Query.parse({ queryId: randomUUID(), text, ...more });
async function rows(who: Holder, text: string, more: object = {}) {
  const answer = await call(who, "POST", "/queries", query(text, more));
  expect(answer.statusCode).toBe(200);
  return QueryResult.parse(answer.json());
}

describe("a query of an analyst", () => {
  it("is answered with typed rows in their order, by parameters, with statistics; and recorded before", async () => {
    const text =
      "SELECT channel, uniq(visitor_id) AS visitors FROM sessions WHERE day >= {from:Date} GROUP BY channel ORDER BY visitors DESC";
    const result = await rows(analyst, text, { parameters: { from: "2026-03-01" } });
    expect(result.columns).toEqual([
      { name: "channel", type: "LowCardinality(String)" },
      { name: "visitors", type: "UInt64" },
    ]);
    expect(result.rows).toEqual([
      ["search", 9],
      ["direct", 5],
    ]);
    expect(insights.ledger.records.at(-1)).toMatchObject({
      queryId: result.queryId,
      analystId: analyst.accountId,
      channel: "console",
      views: ["sessions"],
      outcome: "shown",
      rowsRead: result.statistics.rowsRead,
      text,
    });
    expect(result.statistics.rowsRead).toBeGreaterThanOrEqual(14);
  });

  it("is not answered when it cannot be recorded", async () => {
    insights.ledger.answers = false;
    const answer = await call(analyst, "POST", "/queries", query("SELECT count() FROM events"));
    expect(answer.json()).toMatchObject({ code: "ledger_unavailable" });
    expect(answer.body).not.toContain("rows");
  });

  it("that is wrong is refused with where and why, and recorded as well", async () => {
    const answer = await call(analyst, "POST", "/queries", query("SELECT\n  nope\nFROM sessions"));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "query_wrong",
      errors: [{ pointer: "/text/2:3", message: "Unknown expression identifier `nope`" }],
    });
    expect(insights.ledger.records.at(-1)).toMatchObject({ outcome: "wrong", rowsRead: null });
  });

  it("has an id of its own", async () => {
    const asked = query("SELECT 1");
    expect((await call(analyst, "POST", "/queries", asked)).statusCode).toBe(200);
    const again = await call(other, "POST", "/queries", asked);
    expect(again.json()).toMatchObject({ code: "query_id_used" });
  });

  it("is written with line breaks on demand", async () => {
    const answer = await call(analyst, "POST", "/format", { text: "select 1,2 from sessions" });
    expect(answer.json()).toEqual({ text: "SELECT\n    1,\n    2\nFROM sessions" });
  });

  it("is for analysts alone", async () => {
    const holder = insights.holder();
    const answer = await call(holder, "POST", "/queries", query("SELECT 1"));
    expect(answer.json()).toMatchObject({ code: "forbidden" });
  });
});

it("pseudonyms are the same in all views of one analyst, and no one else's, nor those of the store", async () => {
  const text = "SELECT DISTINCT toString(visitor_id), toString(session_id) FROM";
  const idsOf = async (who: Holder, view: string) =>
    (await rows(who, `${text} ${view}`)).rows.flat().map(String).toSorted();
  const [mine, inEvents, theirs] = await Promise.all([
    idsOf(analyst, "sessions"),
    idsOf(analyst, "events"),
    idsOf(other, "sessions"),
  ]);
  expect(mine).toHaveLength(28);
  expect(inEvents).toEqual(mine);
  const known = new Set([...theirs, ...stored]);
  expect(mine.filter((id) => known.has(id))).toEqual([]);
  // Whatever the form of the result: an id of a group is one as well.
  const grouped = "SELECT visitor_id, any(session_id) AS session, count() FROM events GROUP BY 1";
  for (const format of ["csv", "ndjson", "stream"]) {
    const { body } = await call(analyst, "POST", `/queries.${format}`, query(grouped));
    const ids = body.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu) ?? [];
    expect(ids.toSorted()).toEqual(mine);
  }
});

it.each([
  ["csv", "text/csv", '"page","n"'],
  ["ndjson", "application/x-ndjson", '{"page":"'],
  ["parquet", "application/vnd.apache.parquet", "PAR1"],
])("a file in the format %s holds the result", async (format, type, begins) => {
  const text = "SELECT page, count() AS n FROM events GROUP BY page ORDER BY page";
  const asked = query(text);
  const answer = await call(analyst, "POST", `/queries.${format}`, asked);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toContain(type);
  expect(answer.body.startsWith(begins)).toBe(true);
  const { queryId } = asked;
  expect(insights.ledger.records.at(-1)).toMatchObject({ queryId, format, outcome: "begun" });
  const resultBytes = answer.rawPayload.length;
  expect(insights.ledger.ends.at(-1)).toMatchObject({ queryId, outcome: "shown", resultBytes });
});

/** Long enough to be found running, and by far too long to be waited for. */
const slow =
  "SELECT count() FROM numbers(9000000) AS a, numbers(9000000) AS b WHERE a.number + b.number = 1";
async function runningInEngine(): Promise<number> {
  const result = await insights.clickhouse.query({
    query:
      "SELECT count() AS n FROM system.processes WHERE position(query, concat('9000', '000')) > 0",
    format: "JSONEachRow",
  });
  return (await result.json<{ n: number }>())[0]?.n ?? -1;
}
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

describe("a query that takes long", () => {
  it("ends in the engine when it is cancelled by its analyst, and by no one else", async () => {
    const asked = query(slow);
    const answer = call(analyst, "POST", "/queries", asked);
    await until(async () => (await runningInEngine()) === 1);
    const path = `/queries/${asked.queryId}`;
    expect((await call(other, "DELETE", path)).json()).toMatchObject({ code: "query_not_running" });
    expect((await call(analyst, "DELETE", path)).json()).toEqual({ status: "cancelled" });
    expect((await answer).json()).toMatchObject({ code: "query_cancelled" });
    await until(async () => (await runningInEngine()) === 0);
    expect(insights.ledger.records.at(-1)).toMatchObject({ outcome: "cancelled" });
    expect((await call(analyst, "DELETE", path)).statusCode).toBe(404);
  });

  it("leaves space for the others: an analyst has two at once, of which one is in the engine", async () => {
    const two = [query(slow), query(slow)];
    const answers = two.map((asked) => call(analyst, "POST", "/queries", asked));
    const isRunning = ({ queryId }: Query) =>
      insights.analysts.running.progressOf(analyst.accountId, queryId) !== undefined;
    await until(async () => two.every(isRunning) && (await runningInEngine()) === 1);
    const third = await call(analyst, "POST", "/queries", query("SELECT 1"));
    expect(third.json()).toMatchObject({ code: "queries_running" });
    expect((await rows(other, "SELECT 1")).rows).toEqual([[1]]);
    // The one that waits is cancelled at once, or takes the place of the other.
    for (const { queryId } of two) await call(analyst, "DELETE", `/queries/${queryId}`);
    for (const answer of await Promise.all(answers))
      expect(answer.json()).toMatchObject({ code: "query_cancelled" });
    await until(async () => (await runningInEngine()) === 0);
  });
});

it("the queries of an hour are used up, and come back with the next one", async () => {
  const who = insights.holder(0, { roles: ["holder", "analyst"] });
  const [first] = insights.ledger.records;
  if (first === undefined) throw new Error("Nothing was recorded");
  for (let asked = 0; asked < analystLimits.queriesPerHour; asked += 1)
    await insights.analysts.record({ ...first, analystId: who.accountId, queryId: randomUUID() });
  const answer = await call(who, "POST", "/queries", query("SELECT 1"));
  expect(answer.json()).toMatchObject({ code: "query_quota_used" });
  expect(Number(answer.headers["retry-after"])).toBe(3600);
  expect((await rows(other, "SELECT 1")).rows).toEqual([[1]]);
  insights.at("2026-04-15T13:00:00.000Z");
  expect((await rows(who, "SELECT 1")).rows).toEqual([[1]]);
});

const asProgram = (token: string, path: string, payload?: object) =>
  insights.app.inject({
    method: payload === undefined ? "GET" : "POST",
    url: `/api/v1/analytics${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

it("a program asks with an access token of an analyst, and no other", async () => {
  const token = `pt_a_${analyst.token}`;
  const answer = await asProgram(token, "/queries.csv", query("SELECT count() AS n FROM sessions"));
  expect(answer.body).toBe('"n"\n14\n');
  expect(insights.ledger.records.at(-1)).toMatchObject({ channel: "program", format: "csv" });
  const views = await asProgram(token, "/views");
  expect(views.body).toContain('{"name":"sessions","summary":{"en":"Visits:');
  const holder = await asProgram(`pt_${analyst.token}`, "/queries", query("SELECT 1"));
  expect(holder.json()).toMatchObject({ code: "scope_missing" });
  const signedIn = await asProgram(analyst.token, "/queries", query("SELECT 1"));
  expect(signedIn.json()).toMatchObject({ code: "unauthorized" });
});
