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

describe("the daily views", () => {
  it("count page views, different visit sessions and different visitors of a page", async () => {
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

  it("count arrivals on the day the visit session began, with the pages that followed", async () => {
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

  it("count a visit once in its audience and arrivals when a server reports of it", async () => {
    const about = {
      session_id: randomUUID(),
      visitor_id: randomUUID(),
      session_started_at: "2026-04-08T10:00:00.000Z",
      referrer_domain: "example.org",
      channel: "referral",
    };
    const kind = { kind: "custom", event_type: "signup_completed", page: "" };
    const unknown = { browser: "", os: "", device_class: "", country: "", region: "", city: "" };
    await shipping.store([
      eventRecord({ ...about, is_bot: 1, occurred_at: "2026-04-08T10:01:00.000Z" }),
      eventRecord({ ...about, ...unknown, ...kind, occurred_at: "2026-04-08T10:05:00.000Z" }),
    ]);
    for (const view of ["audience_daily", "referrers_daily"]) {
      expect(
        await stores.rows(
          `SELECT is_bot, sessions, page_views FROM {db}.${view} WHERE day = '2026-04-08'`,
        ),
      ).toEqual([{ is_bot: 1, sessions: 1, page_views: 1 }]);
    }
    const columns = "device_class, browser, city, is_bot, custom_events, duration_seconds";
    expect(
      await stores.rows(`SELECT ${columns} FROM {db}.sessions WHERE day = '2026-04-08'`),
    ).toEqual([
      {
        device_class: "desktop",
        browser: "Firefox",
        city: "Haifa",
        is_bot: 1,
        custom_events: 1,
        duration_seconds: 240,
      },
    ]);
  });

  it("are documented: every view and every column has a comment", async () => {
    // Columns of analysts' views are described in their contract, which is compared with the database; those of
    // days that are stored, in the tables.
    const views = await stores.rows(
      `SELECT name, comment FROM system.tables
        WHERE database = '{db}' AND engine = 'View' AND NOT startsWith(name, 'analyst_')
          AND NOT match(name, '^counted_|^uncounted_|_by_day$|_to_store$')`,
    );
    expect(views.map((view) => String(view["name"])).toSorted()).toEqual([
      "account_opens",
      "audience_daily",
      "consent_daily",
      "drops",
      "languages_daily",
      "links_daily",
      "not_found_daily",
      "opened_links",
      "owner_opens",
      "owner_places",
      "page_engagement_daily",
      "page_views_daily",
      "referrers_daily",
      "server_events_daily",
      "sessions",
      "site_counters",
      "site_views",
      "site_visits",
      "visits_without_consent_daily",
      "web_vitals",
      "web_vitals_daily",
    ]);
    expect(views.filter((view) => view["comment"] === "")).toEqual([]);
    const silentColumns = await stores.rows(
      `SELECT table, name FROM system.columns
       WHERE database = '{db}' AND comment = '' AND table IN (${views.map((view) => `'${String(view["name"])}'`).join()})`,
    );
    expect(silentColumns).toEqual([]);
  });
});

describe("what retention removes", () => {
  it("are events and aggregates after 25 months and marks after 30 days, nothing else", async () => {
    const ttl = await stores.rows(
      `SELECT name, extract(create_table_query, 'TTL (.*?) SETTINGS') AS ttl FROM system.tables
       WHERE database = '{db}' AND engine LIKE '%MergeTree' AND ttl != '' ORDER BY name`,
    );
    expect(ttl.map((row) => row["name"])).toEqual([
      "audience_agg",
      "counters_daily",
      "events",
      "link_opens",
      "link_reports",
      "page_views_agg",
      "referrers_agg",
      "sessions_agg",
      "stored_page_views",
      "stored_page_views_next",
      "stored_sessions",
      "stored_sessions_next",
      "stored_visitors",
      "stored_visitors_next",
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
