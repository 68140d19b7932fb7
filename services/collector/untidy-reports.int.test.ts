import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { v4 as uuidV4, v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

const at = (ms: number): string => new Date(ms).toISOString();

/** A consenting visit on a collector of its own whose clock stands still. */
async function visit(start: Record<string, unknown> = {}) {
  const collector = await product.another();
  const startedMs = Date.UTC(2026, 2, 1, 8);
  collector.time.atMs = startedMs;
  const { sessionId } = await collector.start(start);
  await collector.consent(sessionId, accept);
  return { collector, startedMs, sessionId };
}

/** Sends a report and returns how it is stored. */
async function stored(
  { collector, sessionId }: { collector: CollectorUnderTest; sessionId: string },
  path: string,
  body: Record<string, unknown>,
) {
  const answer = await collector.post(path, { sessionId, ...body });
  expect(answer).toMatchObject({ status: 202, body: { outcome: "stored" } });
  return (await collector.spooled()).events.at(-1);
}

describe("the time of a report", () => {
  /** What the device says, in milliseconds since the start, of a report that arrives ten minutes later. */
  const viewed = async (start: (startedMs: number) => object, saidMs: number) => {
    const own = await visit();
    const { collector, startedMs } = own;
    const { sessionId } = await collector.start({ ...start(startedMs) });
    await collector.consent(sessionId, accept);
    collector.time.atMs = startedMs + 10 * minuteMs;
    const occurredAt = at(startedMs + saidMs);
    const row = await stored({ collector, sessionId }, paths.trackPageView, {
      page: "/",
      occurredAt,
    });
    return { ms: Date.parse(row?.occurred_at ?? "") - startedMs, source: row?.time_source };
  };
  const fast = (startedMs: number) => ({ deviceTime: startedMs + 5 * minuteMs });
  const slow = (startedMs: number) => ({ deviceTime: at(startedMs - 30 * minuteMs) });
  const unmeasured = () => ({});

  it.each([
    [
      "of a clock five minutes fast",
      { start: fast, saidMs: 8 * minuteMs, ms: 3 * minuteMs, source: "corrected" },
    ],
    [
      "of a clock half an hour slow",
      { start: slow, saidMs: -27 * minuteMs, ms: 3 * minuteMs, source: "corrected" },
    ],
    [
      "of a clock that was not measured",
      { start: unmeasured, saidMs: 3 * minuteMs, ms: 3 * minuteMs, source: "device" },
    ],
    [
      "just before the session, as its start was under way",
      { start: fast, saidMs: 4.5 * minuteMs, ms: 0, source: "corrected" },
    ],
    [
      "just after its arrival",
      { start: fast, saidMs: 15.5 * minuteMs, ms: 10 * minuteMs, source: "corrected" },
    ],
    [
      "of a clock that was set back",
      { start: fast, saidMs: -60 * minuteMs, ms: 10 * minuteMs, source: "replaced" },
    ],
    [
      "of a clock that was set forward",
      { start: fast, saidMs: 60 * minuteMs, ms: 10 * minuteMs, source: "replaced" },
    ],
    [
      "of another century",
      { start: unmeasured, saidMs: -40_000 * dayMs, ms: 10 * minuteMs, source: "replaced" },
    ],
  ])("%s", async (_what, { start, saidMs, ms, source }) => {
    expect(await viewed(start, saidMs)).toEqual({ ms, source });
  });

  it("is its own within a day, and that of arrival later than that", async () => {
    const own = await visit();
    own.collector.time.atMs = own.startedMs + dayMs;
    const late = (ms: number) =>
      stored(own, paths.trackPageView, { page: "/", occurredAt: at(own.startedMs + ms) });
    expect(await late(0)).toMatchObject({ occurred_at: at(own.startedMs), time_source: "device" });
    own.collector.time.atMs += 1;
    expect(await late(0)).toMatchObject({
      occurred_at: at(own.startedMs + dayMs + 1),
      time_source: "replaced",
    });
  });

  it.each([
    ["without milliseconds", "2026-03-01T08:05:00Z"],
    ["with an offset", "2026-03-01T10:05:00+02:00"],
    ["with more digits than are stored", "2026-03-01T08:05:00.000123Z"],
    ["as milliseconds since 1970", Date.UTC(2026, 2, 1, 8, 5)],
  ])("may be written %s", async (_what, occurredAt) => {
    const own = await visit();
    own.collector.time.atMs = own.startedMs + 10 * minuteMs;
    const row = await stored(own, paths.trackPageView, { page: "/", occurredAt });
    expect(row).toMatchObject({ occurred_at: "2026-03-01T08:05:00.000Z", time_source: "device" });
  });

  it("is that of arrival when it is none, and when the id says another", async () => {
    const own = await visit();
    const now = { occurred_at: at(own.startedMs), time_source: "replaced" };
    for (const occurredAt of ["now", "2026-13-45T99:00:00Z", "9999-12-31T23:59:59-14:00", 1e300]) {
      expect(await stored(own, paths.trackPageView, { page: "/", occurredAt })).toMatchObject(now);
    }
    for (const eventId of [uuidV7({ msecs: 0 }), uuidV7({ msecs: 2 ** 45 }), uuidV4()]) {
      const row = await stored(own, paths.trackPageView, { page: "/", eventId });
      expect(row).toMatchObject({ event_id: eventId, claim: true, time_source: "arrival" });
    }
  });
});

describe("a field that is too long", () => {
  it("is cut, and costs neither the visit nor its consent", async () => {
    const long = "x".repeat(300);
    const own = await visit({
      utm: { source: long, campaign: long },
      referrer: `https://example.org/${"x".repeat(4_000)}`,
      landingPage: `/pricing?q=${"x".repeat(4_000)}`,
    });
    const title = `${"ab ".repeat(170)}jane@example.org`;
    const view = await stored(own, paths.trackPageView, { page: `/a?${"x".repeat(4_000)}`, title });
    expect(view).toMatchObject({
      page: "/a",
      referrer_domain: "example.org",
      entry_page: "/pricing",
    });
    expect(view).toMatchObject({ utm_source: "x".repeat(256), utm_campaign: "x".repeat(256) });
    expect(view?.page_title).toBe("ab ".repeat(170));
    const names = { element: long, category: long, elementId: long, elementClass: long };
    const coordinates = { x: 1, y: 2_000_000 };
    const click = await stored(own, paths.trackClick, { page: "/", coordinates, ...names });
    const cut = "x".repeat(256);
    expect(click).toMatchObject({ element: cut, element_category: cut, element_class: cut });
    expect(click).toMatchObject({ element_id: cut, click_y: 100_000 });
  });

  it("among the tags of a campaign is the longest", async () => {
    const utm = {
      source: "mail",
      medium: "א".repeat(256),
      campaign: "ב".repeat(256),
      term: "ג".repeat(256),
      content: "ד".repeat(250),
    };
    const own = await visit({ utm });
    const row = await stored(own, paths.trackPageView, { page: "/" });
    const tags = [
      row?.utm_source,
      row?.utm_medium,
      row?.utm_campaign,
      row?.utm_term,
      row?.utm_content,
    ];
    const bytes = Buffer.byteLength(tags.join(""));
    expect(bytes).toBeLessThanOrEqual(1_600);
    expect(bytes).toBeGreaterThan(1_500);
    expect(tags[0]).toBe("mail");
  });

  it("is the name of an event, or its data, without which the event is stored", async () => {
    const own = await visit();
    const eventData = { text: "x".repeat(5_000) };
    const row = await stored(own, paths.trackEvent, { eventType: "e".repeat(80), eventData });
    expect(row).toMatchObject({ event_type: "e".repeat(64), event_data: '{"_cut":true}' });
  });
});

describe("a field of another form", () => {
  it("is an anonymous id, which is replaced", async () => {
    for (const anonymousId of ["jane@example.org", "", 17, "x".repeat(300)]) {
      const { anonymousId: made, sessionId } = await product.collector.start({ anonymousId });
      expect(made).toMatch(/^\d{13}-[0-9a-f]{24}$/);
      expect(await product.collector.consent(sessionId, accept)).toMatchObject({
        analytics: "granted",
      });
    }
  });

  it("is null, which means that it is absent", async () => {
    const own = await visit({
      anonymousId: null,
      referrer: null,
      utm: null,
      deviceTime: null,
      consentPending: null,
    });
    const nothing = { eventId: null, occurredAt: null };
    expect(
      await stored(own, paths.trackPageView, {
        page: "/",
        title: null,
        referrer: null,
        ...nothing,
      }),
    ).toMatchObject({ claim: false, time_source: "arrival" });
    expect(
      await stored(own, paths.trackClick, {
        page: "/",
        element: "a",
        coordinates: null,
        ...nothing,
      }),
    ).toBeDefined();
    expect(
      await stored(own, paths.trackEvent, { eventType: "a", eventData: null, ...nothing }),
    ).toBeDefined();
    expect(
      await stored(own, paths.sessionEnd, { exitPage: null, consentPending: null, ...nothing }),
    ).toBeDefined();
    const again = await own.collector.consent(own.sessionId, {
      ...accept,
      method: null,
      notice: null,
    });
    expect(again.analytics).toBe("granted");
  });
});

describe("the referrer of a page view", () => {
  it.each([
    ["https://www.google.com/search?q=jane", "google.com"],
    ["https://pro-talent.example/pricing?token=1", "/pricing"],
    ["/about#team", "/about"],
    ["//evil.example/x", ""],
    ["about:blank", ""],
  ])("%s is stored as %s", async (referrer, expected) => {
    const own = await visit();
    const body = { sessionId: own.sessionId, page: "/", referrer };
    await own.collector.post(paths.trackPageView, body, { host: "pro-talent.example" });
    expect((await own.collector.spooled()).events.at(-1)?.page_referrer).toBe(expected);
  });
});
