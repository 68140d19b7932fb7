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

type Event = { at: string; kind?: string; page?: string } & Record<string, unknown>;

/** Stores the events of one visit session, each in a segment of its own, in the given order. */
async function history(events: readonly Event[]): Promise<string> {
  const session_id = randomUUID();
  const visitor_id = randomUUID();
  const started = events.map(({ at }) => at).toSorted()[0];
  for (const { at, ...about } of events) {
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
  it("keeps a pause of 29 minutes 59 seconds in one visit session", async () => {
    const id = await history([
      { at: "2026-03-01T10:00:00.000Z" },
      { at: "2026-03-01T10:29:59.999Z" },
      { at: "2026-03-01T10:59:59.998Z" },
    ]);
    expect(await sessions(id, "visit, page_views, duration_seconds")).toEqual([
      { visit: 1, page_views: 3, duration_seconds: 3599.998 },
    ]);
  });

  it("begins a new visit session after a pause of 30 minutes, at any minute of the hour", async () => {
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

  it("continues across midnight and the end of a month, on the day it was opened", async () => {
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
    const events: Event[] = [
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
    for (const order of [
      events,
      events.toReversed(),
      [...events.slice(3), ...events.slice(0, 3)],
    ]) {
      expect(await sessions(await history(order), columns)).toEqual(expected);
    }
  });

  it("is not ended by a page that was left and came back", async () => {
    const id = await history([
      { at: "2026-03-02T08:00:00.000Z", page: "/" },
      { at: "2026-03-02T08:01:00.000Z", kind: "session_end", page: "/" },
      { at: "2026-03-02T08:01:00.001Z", page: "/pricing" },
      { at: "2026-03-02T08:50:00.000Z", page: "/about" },
      { at: "2026-03-02T08:51:00.000Z", kind: "session_end", page: "/about" },
    ]);
    expect(await sessions(id, "visit, ended_explicitly")).toEqual([
      { visit: 1, ended_explicitly: 0 },
      { visit: 2, ended_explicitly: 1 },
    ]);
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

  it("counts a visit session as automated when one of its requests looked so", async () => {
    const id = await history([
      { at: "2026-03-03T09:00:00.000Z" },
      { at: "2026-03-03T09:01:00.000Z", is_bot: 1, bot_reasons: ["headless"] },
    ]);
    expect(await sessions(id, "is_bot")).toEqual([{ is_bot: 1 }]);
  });

  it("reads only the days of the query", async () => {
    const explained = await stores.rows(
      `EXPLAIN indexes = 1 SELECT count() FROM {db}.sessions WHERE day = '2026-03-02'`,
    );
    const plan = explained.map((row) => row["explain"]).join("\n");
    expect(plan).toMatch(
      /PrimaryKey[\s\S]*session_day[\s\S]*Condition:.*session_day in \[20514, 20514\]/,
    );
  });
});
