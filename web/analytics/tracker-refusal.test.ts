import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { anonymousIdKey } from "./identity-store.ts";
import { eventReport } from "./measurement/event-report.ts";
import {
  click,
  grant,
  refuse,
  reset,
  TrackedBrowser,
  undecided,
  viewOf,
} from "./testing/tracked-browser.ts";

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

describe("a visitor who has refused", () => {
  const bare = { sessionId: "session-2" };

  test("is counted by path, without id, origin or device", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "refused", signal: undefined });
    tracker.pageView(viewOf("/pricing"));
    tracker.click(click);
    await expectCalls("start", "pageview", "click");
    const [started] = browser.collector.of("start");
    expect(started?.body).toEqual({ landingPage: "/pricing" });
    expect(started?.headers).not.toHaveProperty("x-viewport");
    const { element, category, page } = click;
    const sessionId = "session-1";
    expect(browser.collector.of("pageview")[0]?.body).toEqual({ sessionId, page: "/pricing" });
    expect(browser.collector.of("click")[0]?.body).toEqual({ sessionId, element, category, page });
  });

  test("on this page: the refusal first, then its pages by path in a session without ids", async () => {
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    tracker.decide(refuse);
    await expectCalls("start", "consent", "start", "pageview");
    expect(browser.collector.of("start")[1]?.body).toEqual({ landingPage: "/pricing" });
    expect(browser.collector.of("pageview")[0]?.body).toEqual({ ...bare, page: "/" });
  });

  test("while the first start could not be sent: nothing about the visitor is sent later", async () => {
    browser.collector.fail("start", 503);
    browser.pauseMs = 60_000;
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    await browser.untilAnswers(1);
    tracker.decide(refuse);
    await vi.waitFor(() => {
      tracker.retryNow();
      expect(browser.collector.names()).toEqual(["start", "start", "consent", "pageview"]);
    });
    expect(browser.collector.of("start")[1]?.body).toEqual({ landingPage: "/pricing" });
  });

  test("and accepts later has a session with ids; what was counted is not stored too", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "refused", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "pageview");
    tracker.decide(grant);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "pageview", "start", "consent", "pageview");
    expect(browser.collector.of("start")[1]?.body).toHaveProperty("anonymousId");
    expect(browser.collector.of("pageview")[1]?.body).toMatchObject({ ...bare, page: "/about" });
  });

  test("and resets that sends nothing, and is undecided again", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "refused", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "pageview");
    tracker.decide(reset);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "pageview", "start");
    expect(browser.collector.of("start")[1]?.body).toMatchObject({ consentPending: true });
  });
});

describe("a visitor who resets a grant", () => {
  test("withdraws it by that name, and is undecided again", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.decide(reset);
    expect(browser.storedKeys).toEqual([]);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "consent", "start");
    expect(browser.collector.of("consent")[1]?.body).toEqual({
      sessionId: "session-1",
      hasConsent: false,
      consentType: "none",
      method: "reset",
    });
  });
});

describe("a decision in another tab", () => {
  test("that grants: this visit joins its ids when they are stored, without another decision", async () => {
    const tracker = browser.newTracker();
    tracker.start(undecided);
    tracker.pageView(viewOf("/"));
    await expectCalls("start");
    tracker.follow("granted");
    browser.local.set(anonymousIdKey, "1700000000000-other-tab");
    await expectCalls("start", "start", "consent", "pageview");
    expect(browser.collector.of("start")[1]?.body["anonymousId"]).toBe("1700000000000-other-tab");
    expect(browser.collector.of("consent")[0]?.body).not.toHaveProperty("method");
    expect(browser.collector.of("pageview")[0]?.body).toHaveProperty("eventId");
  });

  test("that refuses: this visit goes on without ids, and sends no decision", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.follow("refused");
    expect(browser.storedKeys).toEqual([]);
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "start", "pageview");
    expect(browser.collector.of("start")[1]?.body).toEqual({ landingPage: "/pricing" });
  });
});

describe("a visitor who withdraws", () => {
  test("is forgotten at once, and what follows has new ids and no details", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
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
    tracker.start({ consent: "granted", signal: undefined });
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
    tracker.start({ consent: "granted", signal: undefined });
    tracker.report((nowMs) => eventReport("plan_viewed", { plan: "free" }, nowMs));
    tracker.decide(refuse);
    await vi.waitFor(() => expect(browser.collector.of("consent")).not.toHaveLength(0));
    expect(browser.collector.of("event")).toEqual([]);
  });

  test("stays without ids although the collector cannot be reached", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview");
    browser.collector.fail("consent", ...Array.from({ length: 20 }, () => 503));
    tracker.decide(refuse);
    tracker.pageView(viewOf("/about"));
    await vi.waitFor(() => expect(browser.collector.of("pageview")).toHaveLength(2), {
      timeout: 5000,
    });
    expect(browser.collector.of("pageview")[1]?.body).toEqual({
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
    tracker.start({ consent: "refused", signal });
    tracker.pageView(viewOf("/"));
    tracker.report((nowMs) => eventReport("plan_viewed", {}, nowMs));
    tracker.click(click);
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
