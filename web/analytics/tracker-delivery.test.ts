import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { TrackedBrowser, viewOf } from "./testing/tracked-browser.ts";

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

describe("when calls fail", () => {
  test("a view in detail is repeated with the same event id, in order", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("pageview", 0, 503, 500);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await expectCalls(
      "start",
      "consent",
      "pageview",
      "pageview",
      "pageview",
      "pageview",
      "pageview",
    );
    const views = browser.collector.of("pageview").map(({ body }) => body);
    expect(views.map((body) => body["page"])).toEqual(["/", "/", "/", "/", "/about"]);
    expect(new Set(views.map((body) => body["eventId"])).size).toBe(2);
    // The gateway may repeat it too.
    const headers = browser.collector.of("pageview").map((call) => call.headers);
    expect(headers.filter((sent) => sent["idempotency-key"] === undefined)).toEqual([]);
  });

  test("a bare count is not repeated when it may have arrived", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "refused", signal: undefined });
    browser.collector.fail("pageview", 0, 500);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    tracker.pageView(viewOf("/privacy"));
    await expectCalls("start", "pageview", "pageview", "pageview");
    const views = browser.collector.of("pageview");
    expect(views.map(({ body }) => body["page"])).toEqual(["/", "/about", "/privacy"]);
    for (const { headers } of views) expect(headers).not.toHaveProperty("idempotency-key");
  });

  test("a limit is obeyed for as long as it says, and no report is lost", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("start", 429);
    browser.collector.fail("pageview", 429);
    const before = performance.now();
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "start", "consent", "pageview", "pageview", "pageview");
    expect(performance.now() - before).toBeGreaterThan(1_990);
    const pages = browser.collector.of("pageview").map(({ body }) => body["page"]);
    expect(pages).toEqual(["/", "/", "/about"]);
  });

  test("a start that arrives late states when the visit began, and when it is sent", async () => {
    const began = browser.nowMs;
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("start", 0, 503);
    browser.pauseMs = 60_000;
    tracker.pageView(viewOf("/"));
    await expectCalls("start");
    browser.nowMs += 600_000;
    browser.pauseMs = 1;
    await vi.waitFor(() => {
      tracker.retryNow();
      expect(browser.collector.names()).toContain("pageview");
    });
    const start = browser.collector.of("start").at(-1)?.body;
    expect(start).toMatchObject({ occurredAt: began, deviceTime: began + 600_000 });
    const view = browser.collector.of("pageview")[0]?.body;
    expect(view?.["occurredAt"]).toBe(new Date(began).toISOString());
  });

  test("a session that the collector no longer knows is replaced, and the report is kept", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("pageview", 404);
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "consent", "pageview", "start", "consent", "pageview");
    expect(browser.collector.of("pageview")[1]?.body["sessionId"]).toBe("session-2");
  });

  test("what is refused is dropped, and the next report goes on", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("pageview", 422);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await expectCalls("start", "consent", "pageview", "pageview");
  });
});

describe("leaving the page", () => {
  test("ends the session once, with the page that was left", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    await browser.viewAndAwaitAnswer(tracker, "/");
    tracker.end("/about");
    tracker.end("/about");
    expect(browser.beacons).toEqual([
      {
        name: "end",
        body: {
          sessionId: "session-1",
          exitPage: "/about",
          eventId: expect.any(String),
          occurredAt: "2026-03-01T08:00:01.000Z",
        },
      },
    ]);
    tracker.resume();
    tracker.end("/");
    expect(browser.beacons).toHaveLength(2);
  });

  test("hands over what still waits, so that nothing is lost", async () => {
    browser.pauseMs = 60_000;
    const tracker = browser.newTracker();
    tracker.start({ consent: "granted", signal: undefined });
    browser.collector.fail("pageview", ...Array.from({ length: 20 }, () => 503));
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await vi.waitFor(() => expect(browser.collector.of("pageview").length).toBeGreaterThan(0));
    tracker.end("/about");
    expect(browser.beacons.map(({ name }) => name)).toEqual(["pageview", "pageview", "end"]);
    expect(browser.beacons[0]?.body).toMatchObject({
      eventId: browser.collector.of("pageview")[0]?.body["eventId"],
    });
  });

  test("without consent ends by the page alone", async () => {
    const tracker = browser.newTracker();
    tracker.start({ consent: "refused", signal: undefined });
    tracker.pageView(viewOf("/"));
    await expectCalls("start", "pageview");
    tracker.end("/");
    expect(browser.beacons).toEqual([
      { name: "end", body: { sessionId: "session-1", exitPage: "/" } },
    ]);
  });
});
