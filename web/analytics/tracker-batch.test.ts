import { TrackEvents } from "@pro-talent/schemas/analytics/wire";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { inFewCalls, together } from "./measurement/batch.ts";
import { eventReport } from "./measurement/event-report.ts";
import { pageViewReport } from "./reports.ts";
import { refuse, TrackedBrowser, viewOf } from "./testing/tracked-browser.ts";
import type { Tracker } from "./tracker.ts";

let browser: TrackedBrowser;
let ended: number;
beforeEach(async () => {
  browser = await TrackedBrowser.start();
  ended = 0;
});
afterEach(() => browser.collector.close());

/** A tracker under consent, with what is then loaded. */
function consented(): Tracker {
  const tracker = browser.newTracker();
  tracker.start({ consent: "granted", signal: undefined });
  tracker.extension = {
    end: () => (ended += 1),
    leave: () => undefined,
    last: (nowMs) => [eventReport("page_engagement", { engagedMs: 1 }, nowMs, "/")],
    together,
    inFewCalls,
  };
  return tracker;
}

const batches = () => browser.collector.of("events").map(({ body }) => TrackEvents.parse(body));
const pagesOf = (batch: TrackEvents | undefined) =>
  batch?.events.map((event) => (event?.type === "pageview" ? event.page : event?.type));
const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });

describe("reports that wait", () => {
  test("go out together, in order, and each once", async () => {
    const tracker = consented();
    const release = browser.collector.hold("pageview");
    for (const page of ["/", "/about", "/pricing", "/contact"]) tracker.pageView(viewOf(page));
    await until(() => expect(browser.collector.names()).toContain("consent"));
    release();
    await until(() => expect(batches()).toHaveLength(1));
    expect(pagesOf(batches()[0])).toEqual(["/", "/about", "/pricing", "/contact"]);
    tracker.pageView(viewOf("/terms"));
    await until(() => expect(browser.collector.of("pageview")).toHaveLength(1));
    expect(browser.collector.names()).toEqual(["start", "consent", "events", "pageview"]);
  });

  test("are repeated together, with the same ids, when nothing answers", async () => {
    const tracker = consented();
    browser.collector.fail("events", 0, 503);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await until(() => expect(batches()).toHaveLength(3));
    const ids = batches().map(({ events }) => events.map((event) => event?.eventId));
    expect(new Set(ids.flat()).size).toBe(2);
  });

  test("that the collector could not take are repeated, those that it took are not", async () => {
    const tracker = consented();
    browser.collector.answerOnce("events", {
      results: [{ status: 202 }, { status: 503 }, { status: 422 }],
    });
    for (const page of ["/", "/about", "/pricing"]) tracker.pageView(viewOf(page));
    await until(() => expect(browser.collector.of("pageview")).toHaveLength(1));
    expect(browser.collector.of("pageview")[0]?.body["page"]).toBe("/about");
    expect(batches()).toHaveLength(1);
  });

  test("are handed over in one call when the page closes, with its use and its end", async () => {
    browser.pauseMs = 60_000;
    const tracker = consented();
    browser.collector.fail("events", 503);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await until(() => expect(batches()).toHaveLength(1));
    tracker.end("/about");
    expect(browser.beacons.map(({ name }) => name)).toEqual(["events"]);
    const handedOver = TrackEvents.parse(browser.beacons[0]?.body);
    expect(pagesOf(handedOver)).toEqual(["/", "/about", "event", "end"]);
  });

  test("are withdrawn by a refusal, which ends the measurement", async () => {
    browser.pauseMs = 60_000;
    const tracker = consented();
    browser.collector.fail("events", 503);
    tracker.pageView(viewOf("/"));
    tracker.pageView(viewOf("/about"));
    await until(() => expect(batches()).toHaveLength(1));
    tracker.decide(refuse);
    expect(ended).toBe(1);
    expect(tracker.extension).toBeUndefined();
    await until(() => {
      tracker.retryNow();
      expect(browser.collector.names().at(-1)).toBe("consent");
    });
    expect(batches()).toHaveLength(1);
  });
});

test("a batch has at most a hundred events and fits what a closing page may send", () => {
  const views = (count: number, chars: number) =>
    Array.from({ length: count }, (_, page) =>
      pageViewReport({ ...viewOf(`/${page}`), title: "ש".repeat(chars) }, true, browser.nowMs),
    );
  const sizes = (reports: ReturnType<typeof views>) =>
    inFewCalls(reports).map((report) => {
      const body = report.body("s".repeat(200));
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024);
      return "events" in body ? body.events.length : 1;
    });
  expect(sizes(views(250, 1))).toEqual([100, 100, 50]);
  expect(sizes(views(3, 20_000))).toEqual([1, 1, 1]);
  expect(sizes(views(50, 1_000)).reduce((sum, size) => sum + size)).toBe(50);
});
