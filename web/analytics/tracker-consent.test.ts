import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { analyticsStorageKey, anonymousIdKey } from "./identity-store.ts";
import { eventReport } from "./measurement/event-report.ts";
import { click, grant, TrackedBrowser, undecided, viewOf } from "./testing/tracked-browser.ts";

let browser: TrackedBrowser;
beforeEach(async () => {
  browser = await TrackedBrowser.start();
});
afterEach(() => browser.collector.close());

const expectCalls = (...names: string[]) =>
  vi.waitFor(() => expect(browser.collector.names()).toEqual(names), {
    timeout: 5000,
    interval: 5,
  });

describe("a visitor who has not decided", () => {
  test("starts a session with the first page, and nothing is counted yet", async () => {
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.start(undecided);
    tracker.pageView(viewOf("/pricing"));
    tracker.click(click);
    tracker.report((nowMs) => eventReport("plan_viewed", { plan: "free" }, nowMs));
    await expectCalls("start");
    const [started] = browser.collector.of("start");
    expect(started?.body).toEqual({
      anonymousId: expect.stringMatching(/^\d{13}-[0-9a-f]{24}$/),
      referrer: "https://search.example/",
      landingPage: "/pricing",
      utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
      consentPending: true,
      deviceTime: browser.nowMs,
      occurredAt: browser.nowMs,
    });
    expect(started?.headers["x-viewport"]).toBe("1280x800");
  });

  test("leaves nothing in storage, and old ids are removed", async () => {
    browser.local.set(anonymousIdKey, "left-over-id").set(analyticsStorageKey, "{}");
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    await expectCalls("start");
    expect(browser.storedKeys).toEqual([]);
    expect(browser.collector.of("start")[0]?.body["anonymousId"]).not.toBe("left-over-id");
  });

  test("and leaves is counted once by page", async () => {
    const tracker = browser.newTracker();
    tracker.pageView(viewOf("/"));
    tracker.start(undecided);
    tracker.pageView(viewOf("/about"));
    await browser.untilAnswers(1);
    tracker.end("/about");
    const sessionId = "session-1";
    expect(browser.beacons).toEqual([
      { name: "pageview", body: { sessionId, page: "/" } },
      { name: "pageview", body: { sessionId, page: "/about" } },
      { name: "end", body: { sessionId, exitPage: "/about", consentPending: true } },
    ]);
  });

  test("and returns through the browser's cache begins another visit", async () => {
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    await browser.untilAnswers(1);
    tracker.end("/");
    tracker.resume();
    tracker.decide(grant);
    await expectCalls("start", "start", "consent", "pageview");
    const [before, after] = browser.collector.of("start");
    expect(after?.body["anonymousId"]).not.toBe(before?.body["anonymousId"]);
    expect(browser.collector.of("pageview")[0]?.body).toMatchObject({
      sessionId: "session-2",
      eventId: expect.any(String),
    });
  });
});

describe("a visitor who consents", () => {
  test("is asked about once: consent is acknowledged before the first view in detail", async () => {
    const tracker = browser.newTracker();
    tracker.pageView(viewOf("/"));
    tracker.start({ consent: "granted", signal: undefined });
    await expectCalls("start", "consent", "pageview");
    expect(browser.collector.of("consent")[0]?.body).toEqual({
      sessionId: "session-1",
      hasConsent: true,
      consentType: "detailed",
    });
    expect(browser.collector.of("consent")[0]?.headers["x-viewport"]).toBe("1280x800");
    const body = browser.collector.of("pageview")[0]?.body ?? {};
    expect(body).toMatchObject({ page: "/", title: "Title of /" });
    expect(uuidV7Ms(String(body["eventId"]))).toBe(browser.nowMs);
    expect(body["occurredAt"]).toBe("2026-03-01T08:00:00.000Z");
  });

  test("is not counted as a visit without consent: its pages are stored once, in detail", async () => {
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    browser.nowMs += 60_000;
    tracker.pageView(viewOf("/about"));
    tracker.click(click);
    tracker.decide({
      ...grant,
      notice: Promise.resolve({ version: "v1", language: "he", textHash: "a".repeat(64) }),
    });
    await expectCalls("start", "consent", "pageview", "pageview", "click");
    expect(browser.collector.of("consent")[0]?.body).toMatchObject({
      hasConsent: true,
      consentType: "detailed",
      method: "accept_all",
      notice: { version: "v1", language: "he", textHash: "a".repeat(64) },
    });
    expect(browser.collector.of("pageview").map(({ body }) => body)).toMatchObject([
      { page: "/", occurredAt: "2026-03-01T08:00:00.000Z", eventId: expect.any(String) },
      { page: "/about", occurredAt: "2026-03-01T08:01:00.000Z", eventId: expect.any(String) },
    ]);
    // The click came before the consent.
    expect(browser.collector.of("click")[0]?.body).toEqual({
      sessionId: "session-1",
      element: "hero-record",
      category: "navigation",
      page: "/",
    });
    await vi.waitFor(() => expect(browser.receipts).toHaveLength(1));
  });

  test("keeps ids for the next visit, and a reload continues the session", async () => {
    const first = browser.newTracker();
    first.start({ consent: "granted", signal: undefined });
    first.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    const anonymousId = browser.local.get(anonymousIdKey);
    expect(JSON.parse(browser.local.get(analyticsStorageKey) ?? "")).toEqual({ anonymousId });
    expect(browser.cookie).toBe(`reader=${anonymousId}; path=/l/; max-age=31536000; samesite=lax`);
    const reloaded = browser.newTracker();
    reloaded.start({ consent: "granted", signal: undefined });
    reloaded.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "pageview");
    expect(browser.collector.of("pageview")[1]?.body["sessionId"]).toBe("session-1");
  });

  test("starts a new session with the same id after 30 minutes without activity", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    await browser.viewAndAwaitAnswer(tracker, "/");
    browser.nowMs += analyticsLimits.sessionIdleMs + 1;
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "start", "consent", "pageview");
    const [first, second] = browser.collector.of("start");
    expect(second?.body["anonymousId"]).toBe(first?.body["anonymousId"]);
    expect(browser.collector.of("pageview")[1]?.body["sessionId"]).toBe("session-2");
  });

  test("reports events with their data, and clicks with place and element", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    tracker.report((nowMs) => eventReport("plan_viewed", { plan: "free" }, nowMs));
    tracker.click(click);
    await expectCalls("start", "consent", "event", "click");
    expect(browser.collector.of("event")[0]?.body).toMatchObject({ eventData: { plan: "free" } });
    expect(browser.collector.of("click")[0]?.body).toMatchObject({
      coordinates: { x: 3, y: 4 },
      elementId: "see",
      elementClass: "button",
    });
  });
});
