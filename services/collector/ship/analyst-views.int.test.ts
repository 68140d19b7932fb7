import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { counterRecord, eventRecord } from "../spool/testing/rows.ts";
import {
  createStores,
  removeDirectory,
  type Shipping,
  startShipping,
  type Stores,
} from "./testing/shipping-under-test.ts";

let stores: Stores;
let shipping: Shipping;

beforeAll(async () => {
  stores = await createStores();
  shipping = await startShipping(stores);
});

afterAll(async () => {
  await shipping.stop();
  await removeDirectory(shipping.directory);
  await stores.drop();
});

type Told = { at: string; kind?: string; page?: string } & Record<string, unknown>;

/** Tells one session's history, each entry in a segment of its own, in the given order. */
async function history(told: readonly Told[]): Promise<string> {
  const session_id = randomUUID();
  const visitor_id = randomUUID();
  const started = told.map(({ at }) => at).toSorted()[0];
  for (const { at, ...about } of told) {
    const row = { session_id, visitor_id, session_started_at: started, occurred_at: at, ...about };
    await shipping.store([eventRecord(row)]);
  }
  return session_id;
}

function sessions(sessionId: string, columns: string): Promise<Record<string, unknown>[]> {
  return stores.rows(
    `SELECT ${columns} FROM {db}.sessions WHERE session_id = '${sessionId}' ORDER BY visit
     SETTINGS date_time_output_format = 'iso'`,
  );
}

describe("the view sessions", () => {
  it("keeps a pause of 29 minutes 59 seconds in one session", async () => {
    const id = await history([
      { at: "2026-03-01T10:00:00.000Z" },
      { at: "2026-03-01T10:29:59.999Z" },
      { at: "2026-03-01T10:59:59.998Z" },
    ]);
    expect(await sessions(id, "visit, page_views, duration_seconds")).toEqual([
      { visit: 1, page_views: 3, duration_seconds: 3599.998 },
    ]);
  });

  it("begins a new session after a pause of 30 minutes, wherever it lies on the clock", async () => {
    for (const minute of [0, 1, 14, 29]) {
      const at = (offsetMs: number): string =>
        new Date(Date.UTC(2026, 2, 1, 10, minute) + offsetMs).toISOString();
      const id = await history([{ at: at(0) }, { at: at(1_800_000) }, { at: at(1_801_000) }]);
      expect(await sessions(id, "visit, page_views, started_at, ended_at")).toEqual([
        { visit: 1, page_views: 1, started_at: at(0), ended_at: at(0) },
        { visit: 2, page_views: 2, started_at: at(1_800_000), ended_at: at(1_801_000) },
      ]);
    }
  });

  it("goes on across midnight and the turn of a month, on the day it was opened", async () => {
    const id = await history([
      { at: "2026-02-28T23:50:00.000Z", page: "/pricing" },
      { at: "2026-03-01T00:10:00.000Z", page: "/contact" },
      { at: "2026-03-01T00:50:00.000Z", page: "/about" },
    ]);
    const columns = "day, visit, entry_page, exit_page, page_views";
    expect(await sessions(id, columns)).toEqual([
      {
        day: "2026-02-28",
        visit: 1,
        entry_page: "/pricing",
        exit_page: "/contact",
        page_views: 2,
      },
      { day: "2026-02-28", visit: 2, entry_page: "/about", exit_page: "/about", page_views: 1 },
    ]);
  });

  it("does not depend on the order in which reports arrive", async () => {
    const told: Told[] = [
      { at: "2026-03-02T08:00:00.000Z", kind: "session_start", page: "/" },
      { at: "2026-03-02T08:00:00.500Z", page: "/" },
      { at: "2026-03-02T08:20:00.000Z", kind: "click", page: "/", element: "cta" },
      { at: "2026-03-02T08:45:00.000Z", page: "/pricing" },
      { at: "2026-03-02T09:14:00.000Z", kind: "custom", page: "", event_type: "plan_seen" },
      { at: "2026-03-02T09:50:00.000Z", page: "/signup" },
      { at: "2026-03-02T09:51:00.000Z", kind: "session_end", page: "/signup" },
    ];
    const columns = `visit, started_at, ended_at, page_views, clicks, custom_events, events,
      entry_page, exit_page, is_bounce, ended_explicitly`;
    const expected = [
      {
        visit: 1,
        started_at: "2026-03-02T08:00:00.000Z",
        ended_at: "2026-03-02T09:14:00.000Z",
        page_views: 2,
        clicks: 1,
        custom_events: 1,
        events: 5,
        entry_page: "/",
        exit_page: "/pricing",
        is_bounce: 0,
        ended_explicitly: 0,
      },
      {
        visit: 2,
        started_at: "2026-03-02T09:50:00.000Z",
        ended_at: "2026-03-02T09:51:00.000Z",
        page_views: 1,
        clicks: 0,
        custom_events: 0,
        events: 2,
        entry_page: "/signup",
        exit_page: "/signup",
        is_bounce: 1,
        ended_explicitly: 1,
      },
    ];
    for (const order of [told, told.toReversed(), [...told.slice(3), ...told.slice(0, 3)]]) {
      expect(await sessions(await history(order), columns)).toEqual(expected);
    }
  });

  it("repeats the facts of the arrival, with country, region and city from one report", async () => {
    const arrival = {
      channel: "paid",
      referrer_domain: "google.com",
      utm_source: "google",
      utm_medium: "cpc",
      utm_campaign: "spring",
      utm_term: "cv",
      utm_content: "b",
    };
    const place = { country: "IL", region: "Tel Aviv", city: "Tel Aviv" };
    const id = await history([
      {
        at: "2026-03-03T08:00:00.000Z",
        ...arrival,
        country: "IL",
        region: "Haifa",
        city: "Yokneam",
      },
      { at: "2026-03-03T08:01:00.000Z", ...arrival, ...place },
    ]);
    const [session] = await sessions(id, "* EXCEPT (session_id, visitor_id)");
    expect(session).toMatchObject({ ...arrival, ...place, device_class: "desktop", is_bot: 0 });
  });

  it("counts a session as automated when one of its requests looked so", async () => {
    const id = await history([
      { at: "2026-03-03T09:00:00.000Z" },
      { at: "2026-03-03T09:01:00.000Z", is_bot: 1, bot_reasons: ["headless"] },
    ]);
    expect(await sessions(id, "is_bot")).toEqual([{ is_bot: 1 }]);
  });

  it("reads only the days that are asked for", async () => {
    const explained = await stores.rows(
      `EXPLAIN indexes = 1 SELECT count() FROM {db}.sessions WHERE day = '2026-03-02'`,
    );
    const plan = explained.map((row) => row["explain"]).join("\n");
    expect(plan).toMatch(
      /PrimaryKey[\s\S]*session_day[\s\S]*Condition:.*session_day in \[20514, 20514\]/,
    );
  });
});

describe("the daily views", () => {
  it("count page views, different sessions and different visitors of a page", async () => {
    const [anna, ben] = [randomUUID(), randomUUID()];
    const view = (visitor_id: string, session_id: string, hour: number) =>
      eventRecord({
        visitor_id,
        session_id,
        page: "/ats/what-is-ats",
        occurred_at: `2026-04-01T${hour}:00:00.000Z`,
      });
    const [first, second] = [randomUUID(), randomUUID()];
    await shipping.store([view(anna, first, 10), view(anna, first, 11)]);
    await shipping.store([view(anna, second, 12), view(ben, randomUUID(), 13)]);
    expect(
      await stores.rows(`SELECT * FROM {db}.page_views_daily WHERE page = '/ats/what-is-ats'`),
    ).toEqual([
      {
        day: "2026-04-01",
        page: "/ats/what-is-ats",
        is_bot: 0,
        page_views: 4,
        sessions: 3,
        visitors: 2,
      },
    ]);
  });

  it("count arrivals on the day the session began, with the pages that followed", async () => {
    const session_id = randomUUID();
    const about = {
      session_id,
      session_started_at: "2026-04-02T23:59:00.000Z",
      channel: "social",
      referrer_domain: "linkedin.com",
    };
    await shipping.store([
      eventRecord({ ...about, kind: "session_start", occurred_at: "2026-04-02T23:59:00.000Z" }),
      eventRecord({ ...about, occurred_at: "2026-04-02T23:59:01.000Z" }),
      eventRecord({ ...about, occurred_at: "2026-04-03T00:01:00.000Z" }),
    ]);
    const columns = "day, channel, referrer_domain, sessions, page_views";
    expect(
      await stores.rows(
        `SELECT ${columns} FROM {db}.referrers_daily WHERE referrer_domain = 'linkedin.com'`,
      ),
    ).toEqual([
      {
        day: "2026-04-02",
        channel: "social",
        referrer_domain: "linkedin.com",
        sessions: 1,
        page_views: 2,
      },
    ]);
  });

  it("show decisions, refusals and visits without consent from anonymous counters", async () => {
    const day = "2026-04-03";
    await shipping.store([
      counterRecord({ day, metric: "consent", page: "", label: "granted", detail: "accept_all" }),
      counterRecord({ day, metric: "consent", page: "", label: "granted", detail: "accept_all" }),
      counterRecord({ day, metric: "consent", page: "", label: "dnt", detail: "dnt" }),
      counterRecord({ day, metric: "drop", page: "", label: "invalid_body", count: 4 }),
      counterRecord({ day, metric: "session", page: "/pricing", label: "gpc" }),
      counterRecord({ day, metric: "page_view", page: "/pricing", label: "gpc", count: 3 }),
    ]);
    const where = `WHERE day = '${day}' ORDER BY ALL`;
    expect(await stores.rows(`SELECT * FROM {db}.consent_daily ${where}`)).toEqual([
      { day, decision: "dnt", method: "dnt", decisions: 1 },
      { day, decision: "granted", method: "accept_all", decisions: 2 },
    ]);
    expect(await stores.rows(`SELECT * FROM {db}.drops ${where}`)).toEqual([
      { day, reason: "invalid_body", detail: "", records: 4 },
    ]);
    expect(await stores.rows(`SELECT * FROM {db}.visits_without_consent_daily ${where}`)).toEqual([
      {
        day,
        page: "/pricing",
        reason: "gpc",
        sessions: 1,
        page_views: 3,
        clicks: 0,
        custom_events: 0,
        ends: 0,
      },
    ]);
  });

  it("explain themselves: every view and every column has a comment", async () => {
    const views = await stores.rows(
      `SELECT name, comment FROM system.tables WHERE database = '{db}' AND engine = 'View'`,
    );
    expect(views.map((view) => String(view["name"])).toSorted()).toEqual([
      "audience_daily",
      "consent_daily",
      "drops",
      "page_views_daily",
      "referrers_daily",
      "sessions",
      "visits_without_consent_daily",
    ]);
    expect(views.filter((view) => view["comment"] === "")).toEqual([]);
    const silentColumns = await stores.rows(
      `SELECT table, name FROM system.columns
       WHERE database = '{db}' AND comment = '' AND table IN (${views.map((view) => `'${String(view["name"])}'`).join()})`,
    );
    expect(silentColumns).toEqual([]);
  });
});

describe("what time removes", () => {
  it("are events and aggregates after 25 months and marks after 30 days, nothing else", async () => {
    const ttl = await stores.rows(
      `SELECT name, extract(create_table_query, 'TTL (.*?) SETTINGS') AS ttl FROM system.tables
       WHERE database = '{db}' AND engine LIKE '%MergeTree' AND ttl != '' ORDER BY name`,
    );
    expect(ttl.map((row) => row["name"])).toEqual([
      "audience_agg",
      "counters_daily",
      "events",
      "page_views_agg",
      "referrers_agg",
      "sessions_agg",
    ]);
    for (const { name, ttl: rule } of ttl) {
      expect(String(rule)).toMatch(name === "counters_daily" ? /30/ : /25/);
    }
    const before = await stores.rows("SELECT sum(events) AS n FROM {db}.sessions");
    const marks =
      "SELECT count() FROM {db}.sessions_agg WHERE mark != toUUID('00000000-0000-0000-0000-000000000000')";
    expect(await stores.count(marks)).toBeGreaterThan(0);
    await stores.clickhouse.client.command({
      query: `OPTIMIZE TABLE ${stores.clickhouse.database}.sessions_agg FINAL`,
    });
    expect(await stores.rows("SELECT sum(events) AS n FROM {db}.sessions")).toEqual(before);
  });
});
