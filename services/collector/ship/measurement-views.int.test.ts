import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { eventRecord } from "../spool/testing/rows.ts";
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

type About = Parameters<typeof eventRecord>[0];

const started = "2026-05-01T10:00:00.000Z";
const at = (seconds: number): string =>
  new Date(Date.parse(started) + seconds * 1000).toISOString();

/** The events of one visit session, each with its second. */
function session(events: readonly (About & { second: number })[], always: About = {}) {
  const ids = { session_id: randomUUID(), visitor_id: randomUUID() };
  const rows = events.map(({ second, ...about }) =>
    eventRecord(
      { ...ids, session_started_at: started, occurred_at: at(second), ...always, ...about },
      true,
    ),
  );
  return { id: ids.session_id, rows };
}

const use = (engagedMs: number, scrollDepth: number, pageView = randomUUID()): About => ({
  kind: "measurement",
  event_type: "page_engagement",
  event_data: JSON.stringify({ engagedMs, scrollDepth, pageView }),
});
const vital = (name: string, value: number, rating = "good"): About => ({
  kind: "measurement",
  event_type: "web_vital",
  event_data: JSON.stringify({ name, value, rating }),
});

const seen = (id: string, columns: string) =>
  stores.rows(`SELECT ${columns} FROM {db}.sessions WHERE session_id = '${id}' ORDER BY visit`);

describe("the view sessions", () => {
  it("makes the engaged time the duration of a single page, and leaves it a bounce", async () => {
    const view = randomUUID();
    const { id, rows } = session([
      { second: 0, kind: "session_start" },
      { second: 0 },
      { second: 60, ...use(20_000, 40, view) },
      { second: 300, ...use(5_500, 75, view) },
      { second: 301, kind: "session_end" },
      { second: 302, ...vital("CLS", 0.1) },
    ]);
    // The same reports twice, as from a page that is hidden while its last try is under way.
    await shipping.store(rows);
    await shipping.store(rows);
    const columns =
      "duration_seconds, engaged_seconds, scroll_depth, is_bounce, custom_events, ended_explicitly";
    expect(await seen(id, columns)).toEqual([
      {
        duration_seconds: 25.5,
        engaged_seconds: 25.5,
        scroll_depth: 75,
        is_bounce: 1,
        custom_events: 0,
        ended_explicitly: 1,
      },
    ]);
  });

  it("adds up several pages, whose duration is that from first to last activity", async () => {
    const { id, rows } = session([
      { second: 0, page: "/" },
      { second: 40, page: "/pricing" },
      // Reported with the change of the page, in the same moment.
      { second: 40, page: "/", ...use(31_000, 100) },
      { second: 100, page: "/pricing", ...use(9_000, 30) },
    ]);
    for (const row of rows.toReversed()) await shipping.store([row]);
    expect(
      await seen(id, "duration_seconds, engaged_seconds, scroll_depth, exit_page, is_bounce"),
    ).toEqual([
      {
        duration_seconds: 100,
        engaged_seconds: 40,
        scroll_depth: 100,
        exit_page: "/pricing",
        is_bounce: 0,
      },
    ]);
  });

  it("gives each visit of a session its own use", async () => {
    const view = randomUUID();
    const { id, rows } = session([
      { second: 0 },
      { second: 60, ...use(50_000, 50, view) },
      { second: 4_000, ...use(7_000, 90, view) },
    ]);
    await shipping.store(rows);
    expect(await seen(id, "visit, engaged_seconds, scroll_depth")).toEqual([
      { visit: 1, engaged_seconds: 50, scroll_depth: 50 },
      { visit: 2, engaged_seconds: 7, scroll_depth: 90 },
    ]);
  });

  it("has the languages of the start", async () => {
    const { id, rows } = session([
      { second: 0, kind: "session_start", page_language: "he", browser_language: "he-IL" },
      { second: 1 },
    ]);
    await shipping.store(rows);
    expect(await seen(id, "page_language, browser_language")).toEqual([
      { page_language: "he", browser_language: "he-IL" },
    ]);
  });
});

describe("the views of measurements", () => {
  it("page_engagement_daily adds up each page view, and counts it once", async () => {
    const page = "/engagement";
    const view = randomUUID();
    const { rows } = session(
      [
        { second: 10, ...use(10_000, 20, view) },
        { second: 30, ...use(20_000, 60, view) },
        { second: 40, ...use(2_000, 100) },
      ],
      { page },
    );
    await shipping.store(rows);
    await shipping.store(rows);
    const other = session([{ second: 5, ...use(5_000, 50) }], { page });
    await shipping.store(other.rows);
    expect(
      await stores.rows(`SELECT * FROM {db}.page_engagement_daily WHERE page = '${page}'`),
    ).toEqual([
      {
        day: "2026-05-01",
        page,
        is_bot: 0,
        page_views: 3,
        engaged_seconds: 37,
        median_engaged_seconds: 5,
        scroll_depth: 70,
      },
    ]);
  });

  it("web_vitals_daily gives the 75th percentile of each page and kind of device", async () => {
    const page = "/vitals";
    const ratings = ["good", "good", "needs-improvement", "poor", "good"];
    const lcp = [1000, 2000, 3000, 5000, 1500].map((value, load) => ({
      second: load,
      ...vital("LCP", value, ratings[load]),
    }));
    const { rows } = session(lcp, { page, device_class: "mobile" });
    await shipping.store(rows);
    await shipping.store(session([{ second: 0, ...vital("LCP", 800) }], { page }).rows);
    await shipping.store(session([{ second: 0, ...vital("CLS", 0.25) }], { page }).rows);
    const columns = "device_class, metric, page_loads, p75, good, needs_improvement, poor";
    expect(
      await stores.rows(`SELECT ${columns} FROM {db}.web_vitals_daily
        WHERE day = '2026-05-01' AND page = '${page}' ORDER BY device_class, metric`),
    ).toEqual([
      {
        device_class: "desktop",
        metric: "CLS",
        page_loads: 1,
        p75: 0.25,
        good: 1,
        needs_improvement: 0,
        poor: 0,
      },
      {
        device_class: "desktop",
        metric: "LCP",
        page_loads: 1,
        p75: 800,
        good: 1,
        needs_improvement: 0,
        poor: 0,
      },
      {
        device_class: "mobile",
        metric: "LCP",
        page_loads: 5,
        p75: 3000,
        good: 3,
        needs_improvement: 1,
        poor: 1,
      },
    ]);
    expect(await stores.count(`SELECT count() FROM {db}.web_vitals WHERE page = '${page}'`)).toBe(
      7,
    );
  });

  it("languages_daily counts sessions by the language of page and browser", async () => {
    const day = { session_started_at: "2026-05-02T10:00:00.000Z" };
    const inHebrew = { page_language: "he", browser_language: "he-IL" };
    for (const languages of [inHebrew, inHebrew, { page_language: "en" }]) {
      const { rows } = session(
        [{ second: 86_400, kind: "session_start", ...languages }, { second: 86_401 }],
        day,
      );
      await shipping.store(rows);
    }
    expect(
      await stores.rows(`SELECT * FROM {db}.languages_daily WHERE day = '2026-05-02'
        ORDER BY sessions`),
    ).toEqual([
      {
        day: "2026-05-02",
        page_language: "en",
        browser_language: "",
        is_bot: 0,
        sessions: 1,
        visitors: 1,
        page_views: 1,
      },
      {
        day: "2026-05-02",
        ...inHebrew,
        is_bot: 0,
        sessions: 2,
        visitors: 2,
        page_views: 2,
      },
    ]);
  });

  it("links_daily counts what was followed, and not_found_daily pages that do not exist", async () => {
    const link = (event_type: string, data: object): About => ({
      kind: "custom",
      page: "/links",
      event_type,
      event_data: JSON.stringify(data),
    });
    const { rows } = session([
      { second: 0, ...link("outbound_link", { domain: "example.org" }) },
      { second: 1, ...link("outbound_link", { domain: "example.org" }) },
      { second: 2, ...link("file_download", { path: "/guide.pdf", extension: "pdf" }) },
      { second: 3, ...link("contact_link", { kind: "mailto" }) },
      { second: 4, page: "/gone", not_found: 1, page_referrer: "example.org" },
      { second: 5, page: "/found" },
    ]);
    await shipping.store(rows);
    expect(
      await stores.rows(`SELECT link, target, clicks, sessions FROM {db}.links_daily
        WHERE day = '2026-05-01' AND page = '/links' ORDER BY link`),
    ).toEqual([
      { link: "contact_link", target: "mailto", clicks: 1, sessions: 1 },
      { link: "file_download", target: "/guide.pdf", clicks: 1, sessions: 1 },
      { link: "outbound_link", target: "example.org", clicks: 2, sessions: 1 },
    ]);
    expect(await stores.rows("SELECT * FROM {db}.not_found_daily")).toEqual([
      {
        day: "2026-05-01",
        page: "/gone",
        page_referrer: "example.org",
        is_bot: 0,
        page_views: 1,
        sessions: 1,
      },
    ]);
  });

  it("read only the days of the query", async () => {
    for (const view of ["page_engagement_daily", "web_vitals_daily", "not_found_daily"]) {
      const explained = await stores.rows(
        `EXPLAIN indexes = 1 SELECT * FROM {db}.${view} WHERE day = '2026-05-01'`,
      );
      const plan = explained.map((row) => row["explain"]).join("\n");
      expect(plan).toMatch(/PrimaryKey[\s\S]*toDate\(occurred_at\)[\s\S]*Condition:.*20574, 20574/);
    }
  });
});
