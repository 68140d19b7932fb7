import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createApiClient } from "../api-client/request.ts";
import {
  analyticsStorageKey,
  anonymousIdKey,
  createIdentityStore,
  visitSessionKey,
} from "./identity-store.ts";
import type { PrivacySignal } from "./privacy-signal.ts";
import {
  nameOf,
  type RecordingCollector,
  startRecordingCollector,
} from "./testing/recording-collector.ts";
import { Tracker } from "./tracker.ts";

let collector: RecordingCollector;
let local: Map<string, string>;
let tab: Map<string, string>;
let beacons: { name: string; body: object }[];
let receipts: string[];
let nowMs: number;
let pauseMs: number;

const storage = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
});

beforeEach(async () => {
  collector = await startRecordingCollector();
  local = new Map();
  tab = new Map();
  beacons = [];
  receipts = [];
  nowMs = Date.UTC(2026, 2, 1, 8);
  pauseMs = 1;
  vi.spyOn(console, "debug").mockImplementation(() => undefined);
});
afterEach(() => collector.close());

function newTracker(token: string | null = null, onUnauthorized = () => undefined): Tracker {
  return new Tracker({
    api: createApiClient({ origin: collector.origin, readToken: () => token, onUnauthorized }),
    identity: createIdentityStore(
      () => storage(local),
      () => storage(tab),
    ),
    now: () => nowMs,
    arrival: () => ({
      page: "/pricing",
      referrer: "https://search.example/",
      utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
    }),
    deviceHeaders: () => ({ "x-viewport": "1280x800", "x-timezone": "Asia/Jerusalem" }),
    onReceipt: (receiptId) => receipts.push(receiptId),
    beacon: (path, body) => beacons.push({ name: nameOf(path), body }) > 0,
    pauseMs: () => pauseMs,
  });
}

const view = (page: string) => ({ page, title: `Title of ${page}`, referrer: undefined });
const expectCalls = (...names: string[]) =>
  vi.waitFor(() => expect(collector.names()).toEqual(names), { timeout: 5000, interval: 5 });
/** Views a page a second later and waits for the answer, which counts as activity. */
async function viewedAndAnswered(tracker: Tracker, page: string): Promise<void> {
  nowMs += 1000;
  tracker.pageView(view(page));
  await vi.waitFor(() => expect(tab.get(visitSessionKey)).toContain(String(nowMs)));
}
const grant = { granted: true, method: "accept_all", notice: Promise.resolve(undefined) } as const;
const refuse = {
  granted: false,
  method: "reject_all",
  notice: Promise.resolve(undefined),
} as const;
const start = (tracker: Tracker, granted: boolean, signal?: PrivacySignal) =>
  tracker.start({ granted, signal });

describe("a visitor who has not chosen", () => {
  test("is started once, with device headers, and counted by path alone", async () => {
    const tracker = newTracker();
    start(tracker, false);
    start(tracker, false);
    tracker.pageView(view("/pricing"));
    await expectCalls("start", "pageview");
    const [started] = collector.of("start");
    expect(started?.body).toEqual({
      anonymousId: expect.stringMatching(/^\d{13}-[0-9a-f]{24}$/),
      referrer: "https://search.example/",
      landingPage: "/pricing",
      utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
    });
    expect(started?.headers["x-viewport"]).toBe("1280x800");
    expect(collector.of("pageview")[0]?.body).toEqual({ sessionId: "session-1", page: "/pricing" });
  });

  test("leaves nothing in storage, and old ids are removed", async () => {
    local.set(anonymousIdKey, "left-over-id").set(analyticsStorageKey, "{}");
    const tracker = newTracker();
    start(tracker, false);
    tracker.pageView(view("/"));
    await expectCalls("start", "pageview");
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
    expect(collector.of("start")[0]?.body["anonymousId"]).not.toBe("left-over-id");
  });

  test("clicks without coordinates, element id or class", async () => {
    const tracker = newTracker();
    start(tracker, false);
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
    expect(collector.of("click")[0]?.body).toEqual({
      sessionId: "session-1",
      element: "hero-record",
      category: "navigation",
      page: "/",
    });
  });
});

describe("a visitor who consents", () => {
  test("is asked about once: consent is acknowledged before the first view in detail", async () => {
    const tracker = newTracker();
    tracker.pageView(view("/"));
    start(tracker, true);
    await expectCalls("start", "consent", "pageview");
    expect(collector.of("consent")[0]?.body).toEqual({
      sessionId: "session-1",
      hasConsent: true,
      consentType: "detailed",
    });
    expect(collector.of("consent")[0]?.headers["x-viewport"]).toBe("1280x800");
    const body = collector.of("pageview")[0]?.body ?? {};
    expect(body).toMatchObject({ page: "/", title: "Title of /" });
    expect(uuidV7Ms(String(body["eventId"]))).toBe(nowMs);
    expect(body["occurredAt"]).toBe("2026-03-01T08:00:00.000Z");
  });

  test("on a page that is already open: consent, then the view of that page in detail", async () => {
    const tracker = newTracker();
    start(tracker, false);
    tracker.pageView(view("/"));
    tracker.decide({
      ...grant,
      notice: Promise.resolve({ version: "v1", language: "he", textHash: "a".repeat(64) }),
    });
    await expectCalls("start", "pageview", "consent", "pageview");
    expect(collector.of("consent")[0]?.body).toMatchObject({
      hasConsent: true,
      consentType: "detailed",
      method: "accept_all",
      notice: { version: "v1", language: "he", textHash: "a".repeat(64) },
    });
    expect(collector.of("pageview")[1]?.body).toHaveProperty("eventId");
    await vi.waitFor(() => expect(receipts).toHaveLength(1));
  });

  test("keeps ids for the next visit, and a reload continues the session", async () => {
    const first = newTracker();
    start(first, true);
    first.pageView(view("/"));
    await expectCalls("start", "consent", "pageview");
    const anonymousId = local.get(anonymousIdKey);
    expect(JSON.parse(local.get(analyticsStorageKey) ?? "")).toEqual({ anonymousId });
    const reloaded = newTracker();
    start(reloaded, true);
    reloaded.pageView(view("/about"));
    await expectCalls("start", "consent", "pageview", "pageview");
    expect(collector.of("pageview")[1]?.body["sessionId"]).toBe("session-1");
  });

  test("starts a new session with the same id after 30 minutes without activity", async () => {
    const tracker = newTracker();
    start(tracker, true);
    await expectCalls("start", "consent");
    await viewedAndAnswered(tracker, "/");
    nowMs += analyticsLimits.sessionIdleMs + 1;
    tracker.pageView(view("/about"));
    await expectCalls("start", "consent", "pageview", "start", "consent", "pageview");
    const [first, second] = collector.of("start");
    expect(second?.body["anonymousId"]).toBe(first?.body["anonymousId"]);
    expect(collector.of("pageview")[1]?.body["sessionId"]).toBe("session-2");
  });

  test("reports events with their data, and clicks with place and element", async () => {
    const tracker = newTracker();
    start(tracker, true);
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
    expect(collector.of("event")[0]?.body).toMatchObject({ eventData: { plan: "free" } });
    expect(collector.of("click")[0]?.body).toMatchObject({
      coordinates: { x: 3, y: 4 },
      elementClass: "button",
    });
  });
});

describe("a visitor who withdraws", () => {
  test("is forgotten at once, and what follows has new ids and no details", async () => {
    const tracker = newTracker();
    start(tracker, true);
    tracker.pageView(view("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.decide(refuse);
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
    tracker.pageView(view("/about"));
    await expectCalls("start", "consent", "pageview", "consent", "start", "pageview");
    expect(collector.of("consent")[1]?.body).toMatchObject({
      sessionId: "session-1",
      hasConsent: false,
      consentType: "none",
    });
    expect(collector.of("consent")[1]?.headers).not.toHaveProperty("x-viewport");
    const [before, after] = collector.of("start");
    expect(after?.body["anonymousId"]).not.toBe(before?.body["anonymousId"]);
    expect(collector.of("pageview")[1]?.body).toEqual({ sessionId: "session-2", page: "/about" });
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
  });

  test("stays forgotten when the answer to an earlier call arrives late", async () => {
    const tracker = newTracker();
    start(tracker, true);
    const release = collector.hold("pageview");
    tracker.pageView(view("/"));
    await expectCalls("start", "consent", "pageview");
    tracker.decide(refuse);
    release();
    await expectCalls("start", "consent", "pageview", "consent");
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
  });

  test("takes back details that are still waiting to be sent", async () => {
    collector.fail("start", 503, 503);
    const tracker = newTracker();
    start(tracker, true);
    tracker.event("plan_viewed", { plan: "free" });
    tracker.decide(refuse);
    await vi.waitFor(() => expect(collector.of("consent")).not.toHaveLength(0));
    expect(collector.of("event")).toEqual([]);
  });

  test("stays without ids although the collector cannot be reached", async () => {
    const tracker = newTracker();
    start(tracker, true);
    await expectCalls("start", "consent");
    collector.fail("consent", ...Array.from({ length: 20 }, () => 503));
    tracker.decide(refuse);
    tracker.pageView(view("/about"));
    await vi.waitFor(() => expect(collector.of("pageview")).toHaveLength(1), { timeout: 5000 });
    expect(collector.of("pageview")[0]?.body).toEqual({ sessionId: "session-2", page: "/about" });
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
  });
});

describe.each(["dnt", "gpc"] as const)("under the signal %s", (signal) => {
  test("only pages are reported, without any id or device, whatever was chosen before", async () => {
    local.set(anonymousIdKey, "1700000000000-before");
    const tracker = newTracker();
    start(tracker, true, signal);
    tracker.pageView(view("/"));
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
    tracker.pageView(view("/about"));
    await expectCalls("start", "pageview", "pageview");
    expect(collector.of("start")[0]?.body).toEqual({ landingPage: "/pricing" });
    expect(collector.of("start")[0]?.headers).not.toHaveProperty("x-viewport");
    expect(collector.of("pageview")[1]?.body).toEqual({ sessionId: "session-1", page: "/about" });
    expect([...local.keys(), ...tab.keys()]).toEqual([]);
    tracker.end("/about");
    expect(beacons).toEqual([]);
  });
});

describe("when calls fail", () => {
  test("a view in detail is repeated with the same event id, in order", async () => {
    const tracker = newTracker();
    start(tracker, true);
    collector.fail("pageview", 0, 503, 500);
    tracker.pageView(view("/"));
    tracker.pageView(view("/about"));
    await expectCalls(
      "start",
      "consent",
      "pageview",
      "pageview",
      "pageview",
      "pageview",
      "pageview",
    );
    const views = collector.of("pageview").map(({ body }) => body);
    expect(views.map((body) => body["page"])).toEqual(["/", "/", "/", "/", "/about"]);
    expect(new Set(views.map((body) => body["eventId"])).size).toBe(2);
  });

  test("a bare count is not repeated when it may have arrived", async () => {
    const tracker = newTracker();
    start(tracker, false);
    collector.fail("pageview", 0, 500);
    tracker.pageView(view("/"));
    tracker.pageView(view("/about"));
    tracker.pageView(view("/privacy"));
    await expectCalls("start", "pageview", "pageview", "pageview");
    expect(collector.of("pageview").map(({ body }) => body["page"])).toEqual([
      "/",
      "/about",
      "/privacy",
    ]);
  });

  test("a session that the collector no longer knows is replaced, and the report is kept", async () => {
    const tracker = newTracker();
    start(tracker, true);
    await expectCalls("start", "consent");
    collector.fail("pageview", 404);
    tracker.pageView(view("/"));
    await expectCalls("start", "consent", "pageview", "start", "consent", "pageview");
    expect(collector.of("pageview")[1]?.body["sessionId"]).toBe("session-2");
  });

  test("what is refused is dropped, and the next report goes on", async () => {
    const tracker = newTracker();
    start(tracker, true);
    collector.fail("pageview", 422);
    tracker.pageView(view("/"));
    tracker.pageView(view("/about"));
    await expectCalls("start", "consent", "pageview", "pageview");
  });

  test("an answer of 401 reaches the application", async () => {
    const left = vi.fn<() => undefined>(() => undefined);
    const tracker = newTracker("bearer-1", left);
    collector.fail("start", 401);
    start(tracker, false);
    await expectCalls("start", "start");
    expect(collector.of("start")[0]?.headers.authorization).toBe("Bearer bearer-1");
    expect(left).toHaveBeenCalledOnce();
  });
});

describe("leaving the page", () => {
  test("ends the session once, with the page that was left", async () => {
    const tracker = newTracker();
    start(tracker, true);
    await expectCalls("start", "consent");
    await viewedAndAnswered(tracker, "/");
    tracker.end("/about");
    tracker.end("/about");
    expect(beacons).toEqual([
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
    expect(beacons).toHaveLength(2);
  });

  test("hands over what still waits, so that nothing is lost", async () => {
    pauseMs = 60_000;
    const tracker = newTracker();
    start(tracker, true);
    await expectCalls("start", "consent");
    collector.fail("pageview", ...Array.from({ length: 20 }, () => 503));
    tracker.pageView(view("/"));
    tracker.pageView(view("/about"));
    await vi.waitFor(() => expect(collector.of("pageview").length).toBeGreaterThan(0));
    tracker.end("/about");
    expect(beacons.map(({ name }) => name)).toEqual(["pageview", "pageview", "end"]);
    expect(beacons[0]?.body).toMatchObject({
      eventId: collector.of("pageview")[0]?.body["eventId"],
    });
  });

  test("without consent ends by the page alone", async () => {
    const tracker = newTracker();
    start(tracker, false);
    tracker.pageView(view("/"));
    await expectCalls("start", "pageview");
    tracker.end("/");
    expect(beacons).toEqual([{ name: "end", body: { sessionId: "session-1", exitPage: "/" } }]);
  });
});
