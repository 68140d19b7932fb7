import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { analyticsStorageKey, anonymousIdKey } from "./identity-store.ts";
import { grant, refuse, TrackedBrowser, viewOf } from "./testing/tracked-browser.ts";

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

describe("a visitor who has not chosen", () => {
  test("is started once, with device headers, and counted by path alone", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: false, signal: undefined });
    tracker.start({ granted: false, signal: undefined });
    tracker.pageView(viewOf("/pricing"));
    await expectCalls("start", "pageview");
    const [started] = browser.collector.of("start");
    expect(started?.body).toEqual({
      anonymousId: expect.stringMatching(/^\d{13}-[0-9a-f]{24}$/),
      referrer: "https://search.example/",
      landingPage: "/pricing",
      utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
    });
    expect(started?.headers["x-viewport"]).toBe("1280x800");
    expect(browser.collector.of("pageview")[0]?.body).toEqual({
      sessionId: "session-1",
      page: "/pricing",
    });
  });

  test("leaves nothing in storage, and old ids are removed", async () => {
    browser.local.set(anonymousIdKey, "left-over-id").set(analyticsStorageKey, "{}");
    const tracker = browser.newTracker();
    tracker.start({ granted: false, signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "pageview");
    expect(browser.storedKeys).toEqual([]);
    expect(browser.collector.of("start")[0]?.body["anonymousId"]).not.toBe("left-over-id");
  });

  test("clicks without coordinates, element id or class", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: false, signal: undefined });
    tracker.click({
      element: "hero-record",
      category: "navigation",
      page: "/",
      coordinates: { x: 3, y: 4 },
      elementId: "see",
      elementClass: "button",
    });
    tracker.event("plan_viewed", { plan: "free" });
    await expectCalls("start", "click");
    expect(browser.collector.of("click")[0]?.body).toEqual({
      sessionId: "session-1",
      element: "hero-record",
      category: "navigation",
      page: "/",
    });
  });
});

describe("a visitor who consents", () => {
  test("is asked about once: consent is acknowledged before the first view in detail", async () => {
    const tracker = browser.newTracker();
    tracker.pageView(viewOf("/"));
    tracker.start({ granted: true, signal: undefined });
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

  test("on a page that is already open: consent, then the view of that page in detail", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: false, signal: undefined });
    tracker.pageView(viewOf("/"));
    tracker.decide({
      ...grant,
      notice: Promise.resolve({ version: "v1", language: "he", textHash: "a".repeat(64) }),
    });
    await expectCalls("start", "pageview", "consent", "pageview");
    expect(browser.collector.of("consent")[0]?.body).toMatchObject({
      hasConsent: true,
      consentType: "detailed",
      method: "accept_all",
      notice: { version: "v1", language: "he", textHash: "a".repeat(64) },
    });
    expect(browser.collector.of("pageview")[1]?.body).toHaveProperty("eventId");
    await vi.waitFor(() => expect(browser.receipts).toHaveLength(1));
  });

  test("keeps ids for the next visit, and a reload continues the session", async () => {
    const first = browser.newTracker();
    first.start({ granted: true, signal: undefined });
    first.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    const anonymousId = browser.local.get(anonymousIdKey);
    expect(JSON.parse(browser.local.get(analyticsStorageKey) ?? "")).toEqual({ anonymousId });
    const reloaded = browser.newTracker();
    reloaded.start({ granted: true, signal: undefined });
    reloaded.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "pageview");
    expect(browser.collector.of("pageview")[1]?.body["sessionId"]).toBe("session-1");
  });

  test("starts a new session with the same id after 30 minutes without activity", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal: undefined });
    await expectCalls("start", "consent");
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
    tracker.start({ granted: true, signal: undefined });
    tracker.event("plan_viewed", { plan: "free" });
    tracker.click({
      element: "hero-record",
      category: "navigation",
      page: "/",
      coordinates: { x: 3, y: 4 },
      elementId: undefined,
      elementClass: "button",
    });
    await expectCalls("start", "consent", "event", "click");
    expect(browser.collector.of("event")[0]?.body).toMatchObject({ eventData: { plan: "free" } });
    expect(browser.collector.of("click")[0]?.body).toMatchObject({
      coordinates: { x: 3, y: 4 },
      elementClass: "button",
    });
  });
});

describe("a visitor who withdraws", () => {
  test("is forgotten at once, and what follows has new ids and no details", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.decide(refuse);
    expect(browser.storedKeys).toEqual([]);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "consent", "start", "pageview");
    expect(browser.collector.of("consent")[1]?.body).toMatchObject({
      sessionId: "session-1",
      hasConsent: false,
      consentType: "none",
    });
    expect(browser.collector.of("consent")[1]?.headers).not.toHaveProperty("x-viewport");
    const [before, after] = browser.collector.of("start");
    expect(after?.body["anonymousId"]).not.toBe(before?.body["anonymousId"]);
    expect(browser.collector.of("pageview")[1]?.body).toEqual({
      sessionId: "session-2",
      page: "/about",
    });
    expect(browser.storedKeys).toEqual([]);
  });

  test("stays forgotten when the answer to an earlier call arrives late", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal: undefined });
    const release = browser.collector.hold("pageview");
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.decide(refuse);
    release();
    await expectCalls("start", "consent", "pageview", "consent");
    expect(browser.storedKeys).toEqual([]);
  });

  test("takes back details that are still waiting to be sent", async () => {
    browser.collector.fail("start", 503, 503);
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal: undefined });
    tracker.event("plan_viewed", { plan: "free" });
    tracker.decide(refuse);
    await vi.waitFor(() => expect(browser.collector.of("consent")).not.toHaveLength(0));
    expect(browser.collector.of("event")).toEqual([]);
  });

  test("stays without ids although the collector cannot be reached", async () => {
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal: undefined });
    await expectCalls("start", "consent");
    browser.collector.fail("consent", ...Array.from({ length: 20 }, () => 503));
    tracker.decide(refuse);
    tracker.pageView(viewOf("/about"));
    await vi.waitFor(() => expect(browser.collector.of("pageview")).toHaveLength(1), {
      timeout: 5000,
    });
    expect(browser.collector.of("pageview")[0]?.body).toEqual({
      sessionId: "session-2",
      page: "/about",
    });
    expect(browser.storedKeys).toEqual([]);
  });
});

describe.each(["dnt", "gpc"] as const)("under the signal %s", (signal) => {
  test("only pages are reported, without any id or device, whatever was chosen before", async () => {
    browser.local.set(anonymousIdKey, "1700000000000-before");
    const tracker = browser.newTracker();
    tracker.start({ granted: true, signal });
    tracker.pageView(viewOf("/"));
    tracker.event("plan_viewed");
    tracker.click({
      element: "hero",
      category: "navigation",
      page: "/",
      coordinates: { x: 1, y: 1 },
      elementId: undefined,
      elementClass: undefined,
    });
    tracker.decide(grant);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "pageview", "pageview");
    expect(browser.collector.of("start")[0]?.body).toEqual({ landingPage: "/pricing" });
    expect(browser.collector.of("start")[0]?.headers).not.toHaveProperty("x-viewport");
    expect(browser.collector.of("pageview")[1]?.body).toEqual({
      sessionId: "session-1",
      page: "/about",
    });
    expect(browser.storedKeys).toEqual([]);
    tracker.end("/about");
    expect(browser.beacons).toEqual([]);
  });
});
