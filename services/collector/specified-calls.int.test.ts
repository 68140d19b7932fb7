import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type CollectorUnderTest, deviceHeaders } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const withdraw = { hasConsent: false, consentType: "none" };
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const statedDevice = {
  screen: "1920x1080",
  viewport: "1280x720",
  timezone: "Asia/Jerusalem",
  color_depth: 24,
  pixel_ratio: 1.5,
  device_memory: 8,
  connection_type: "4g",
  browser_language: "he",
};
const unknownDevice = {
  screen: "",
  viewport: "",
  timezone: "",
  color_depth: 0,
  pixel_ratio: 0,
  device_memory: 0,
  connection_type: "",
};

describe("the calls of the specification, and nothing else", () => {
  let product: CollectorsAndLedger;
  beforeAll(async () => {
    product = await startCollectorsAndLedger();
  });
  afterAll(() => product.stop());

  /** start → consent → pageview → click → event → end, with exactly the specified fields. */
  async function visit(collector: CollectorUnderTest) {
    const { sessionId, anonymousId } = await collector.start(
      {
        anonymousId: "1740000000000-k3j2h1g0f9",
        referrer: "https://www.google.com/",
        landingPage: "/pricing?utm_source=mail",
        utm: { source: "newsletter", medium: "email", campaign: "launch", term: "", content: "" },
      },
      deviceHeaders,
    );
    const consent = await collector.consent(sessionId, accept, deviceHeaders);
    const answers = [
      await collector.track(paths.trackPageView, {
        sessionId,
        page: "/pricing",
        title: "Pricing",
        referrer: "https://www.google.com/",
      }),
      await collector.track(paths.trackClick, {
        sessionId,
        element: "button",
        category: "plan",
        page: "/pricing",
        coordinates: { x: 120.4, y: -3 },
        elementId: "premium",
        elementClass: "cta primary",
      }),
      await collector.track(paths.trackEvent, {
        sessionId,
        eventType: "billing_toggle",
        eventData: { cycle: "annual" },
      }),
      await collector.track(paths.sessionEnd, { sessionId, exitPage: "/about" }),
    ];
    return { sessionId, anonymousId, consent, answers };
  }

  it("give exactly the expected rows", async () => {
    const collector = await product.another();
    const { sessionId, anonymousId, consent, answers } = await visit(collector);

    expect(anonymousId).toBe("1740000000000-k3j2h1g0f9");
    expect(consent).toEqual({ analytics: "granted", receiptId: expect.any(String) });
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ outcome: "stored" })));

    const uuid = sessionId.slice(0, 36);
    const every = {
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: "",
      visitor_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      session_id: uuid,
      session_started_at: expect.stringMatching(isoTime),
      occurred_at: expect.stringMatching(isoTime),
      received_at: expect.stringMatching(isoTime),
      time_source: "arrival",
      page_title: "",
      page_referrer: "",
      entry_page: "/pricing",
      referrer_domain: "google.com",
      channel: "email",
      utm_source: "newsletter",
      utm_medium: "email",
      utm_campaign: "launch",
      utm_term: "",
      utm_content: "",
      element: "",
      element_category: "",
      element_id: "",
      element_class: "",
      click_x: null,
      click_y: null,
      event_data: "{}",
      browser: "Chrome",
      browser_major: 141,
      os: "Windows",
      device_class: "desktop",
      country: "IL",
      region: "Haifa",
      city: "Haifa",
      is_bot: 0,
      bot_reasons: [],
      ...unknownDevice,
      claim: false,
    };
    const { events, counters } = await collector.spooled();
    expect(events).toEqual([
      { ...every, kind: "session_start", page: "/pricing", ...statedDevice, claim: true },
      {
        ...every,
        kind: "page_view",
        page: "/pricing",
        page_title: "Pricing",
        page_referrer: "google.com",
      },
      {
        ...every,
        kind: "click",
        page: "/pricing",
        element: "button",
        element_category: "plan",
        element_id: "premium",
        element_class: "cta primary",
        click_x: 120,
        click_y: -3,
      },
      {
        ...every,
        kind: "custom",
        page: "",
        event_type: "billing_toggle",
        event_data: '{"cycle":"annual"}',
      },
      { ...every, kind: "session_end", page: "/about" },
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect(counters).toEqual([
      { day, metric: "session", page: "/pricing", label: "no_consent", detail: "", count: 1 },
      { day, metric: "consent", page: "", label: "granted", detail: "accept_all", count: 1 },
    ]);
  });

  it("make an anonymous id for a client that has none", async () => {
    const { anonymousId } = await product.collector.start({ anonymousId: null });
    expect(anonymousId).toMatch(/^\d{13}-[0-9a-f]{24}$/);
    expect((await product.collector.start({})).anonymousId).not.toBe(anonymousId);
  });

  it("end a visit session from a page that is being left, as sendBeacon does", async () => {
    const { collector } = product;
    const { sessionId } = await collector.start();
    const beacon = { "content-type": "text/plain;charset=UTF-8" };
    const answer = await collector.post(paths.sessionEnd, { sessionId, exitPage: "/faq" }, beacon);
    expect(answer).toMatchObject({ status: 202, body: { outcome: "counted" } });
    const page = { sessionId, page: "/" };
    expect(await collector.post(paths.trackPageView, page, beacon)).toMatchObject({ status: 415 });
  });

  it("accept the fields that may be absent", async () => {
    const { collector } = product;
    const { sessionId } = await collector.start();
    await collector.consent(sessionId, accept);
    const sent = [
      await collector.post(paths.trackPageView, { sessionId, page: "/" }),
      await collector.post(paths.trackClick, { sessionId, element: "a", page: "/" }),
      await collector.post(paths.trackEvent, { sessionId, eventType: "x", eventData: null }),
      await collector.post(paths.sessionEnd, { sessionId }),
    ];
    expect(sent.map((answer) => answer.status)).toEqual([202, 202, 202, 202]);
  });

  it("record one start of a visit session, however often consent is repeated or changed", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    const first = await collector.consent(sessionId, accept);
    expect(await collector.consent(sessionId, accept)).toEqual(first);
    await collector.consent(sessionId, withdraw);
    const again = await collector.consent(sessionId, accept);
    expect(again.receiptId).not.toBe(first.receiptId);

    const { events, counters } = await collector.spooled();
    expect(events.map((event) => event.kind)).toEqual(Array.from(events, () => "session_start"));
    expect(events.every((event) => event.claim)).toBe(true);
    expect(new Set(events.map((event) => event.event_id)).size).toBe(1);
    const decisions = counters.filter((row) => row.metric === "consent").map((row) => row.label);
    expect(decisions).toEqual(["granted", "withdrawn", "granted"]);
  });

  it("store a start at once, with the device, for a visitor who consented before", async () => {
    const collector = await product.another();
    const anonymousId = "1740000000001-returning";
    const { sessionId } = await collector.start({ anonymousId });
    await collector.consent(sessionId, accept);
    const next = await collector.start({ anonymousId, landingPage: "/about" }, deviceHeaders);

    const { events } = await collector.spooled();
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      kind: "session_start",
      session_id: next.sessionId.slice(0, 36),
      page: "/about",
      ...statedDevice,
    });
    expect(events[1]?.visitor_id).toBe(events[0]?.visitor_id);
  });

  it("mark what a bot sends, and still store it", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    await collector.consent(sessionId, accept);
    await collector.track(
      paths.trackPageView,
      { sessionId, page: "/" },
      { "user-agent": "curl/8.5.0" },
    );

    const { events } = await collector.spooled();
    expect(events.find((event) => event.kind === "page_view")).toMatchObject({
      is_bot: 1,
      bot_reasons: ["user_agent_listed", "user_agent_odd"],
    });
  });
});
