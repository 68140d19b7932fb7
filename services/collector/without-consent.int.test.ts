import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type CollectorUnderTest, deviceHeaders } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const reject = { hasConsent: false, consentType: "none" };

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

const anonymousId = "1740000000000-planted-visitor";
const address = "203.0.113.77";

/** A visit of which every part could identify the visitor; returns all that identifies it. */
async function visit(collector: CollectorUnderTest, headers: Record<string, string>) {
  const sent = { ...deviceHeaders, "x-forwarded-for": address, ...headers };
  const { sessionId } = await collector.start(
    { anonymousId, landingPage: "/pricing", utm: { campaign: "planted-campaign" } },
    sent,
  );
  const eventIds = Array.from({ length: 4 }, () => uuidV7());
  const track = (path: string, body: Record<string, unknown>) =>
    collector.track(path, { sessionId, ...body }, sent);
  const answers = [
    await track(paths.trackPageView, { page: "/pricing", title: "planted-title" }),
    await track(paths.trackPageView, { page: "/About/", eventId: eventIds[0] }),
    await track(paths.trackClick, {
      page: "/about",
      element: "planted-element",
      coordinates: { x: 4_242, y: 4_243 },
      elementId: "planted-id",
      eventId: eventIds[1],
    }),
    await track(paths.trackEvent, {
      eventType: "planted-type",
      eventData: { planted: "planted-data" },
      eventId: eventIds[2],
    }),
    await track(paths.sessionEnd, { exitPage: "/about", eventId: eventIds[3] }),
  ];
  const identifying = [
    anonymousId,
    sessionId,
    sessionId.slice(0, 36),
    address,
    "planted",
    "4242",
    "1920x1080",
    "Asia/Jerusalem",
    "Chrome",
    "Haifa",
    ...eventIds,
  ];
  return { sessionId, answers, identifying };
}

async function expectOnlyNumbers(collector: CollectorUnderTest, identifying: string[]) {
  const text = await collector.spoolText();
  expect(text).toContain('"metric":"page_view"');
  expect(identifying.filter((part) => text.includes(part))).toEqual([]);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/);
  expect((await collector.spooled()).events).toEqual([]);
}

describe("a visitor who did not consent", () => {
  it("leaves numbers by day and page, and nothing that identifies the visitor", async () => {
    const collector = await product.another();
    const { answers, identifying } = await visit(collector, {});
    expect(answers).toEqual(
      Array.from(answers, () => ({ outcome: "counted", reason: "no_consent" })),
    );

    const { counters } = await collector.spooled();
    const raised = { day: new Date().toISOString().slice(0, 10), detail: "", count: 1 };
    const label = "no_consent";
    expect(counters).toEqual([
      { ...raised, metric: "session", page: "/pricing", label },
      { ...raised, metric: "page_view", page: "/pricing", label },
      { ...raised, metric: "page_view", page: "/about", label },
      { ...raised, metric: "click", page: "", label },
      { ...raised, metric: "custom", page: "", label },
      { ...raised, metric: "session_end", page: "/about", label },
    ]);
    await expectOnlyNumbers(collector, identifying);
  });

  it("and may still consent is counted at the end of the visit, not at its start", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start({ landingPage: "/faq", consentPending: true });
    expect((await collector.spooled()).counters).toEqual([]);
    const end = { sessionId, exitPage: "/about", consentPending: true };
    await collector.track(paths.sessionEnd, end);
    const { counters } = await collector.spooled();
    expect(counters).toMatchObject([
      { metric: "session", page: "/faq", label: "no_consent", count: 1 },
      { metric: "session_end", page: "/about", label: "no_consent", count: 1 },
    ]);
  });

  it("and consents while the visit is open is stored from its start, and never counted", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start({ landingPage: "/faq", consentPending: true });
    await collector.consent(sessionId, accept);
    await collector.track(paths.sessionEnd, { sessionId, exitPage: "/faq" });
    const { counters, events } = await collector.spooled();
    expect(events.map(({ kind }) => kind)).toEqual(["session_start", "session_end"]);
    expect(counters.map(({ metric }) => metric)).toEqual(["consent"]);
  });

  it("is counted once when a report is repeated", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    const report = { sessionId, page: "/", eventId: uuidV7() };
    await Promise.all([1, 2, 3].map(() => collector.track(paths.trackPageView, report)));
    await collector.drops.flush();
    const { counters } = await collector.spooled();
    expect(counters.filter((row) => row.metric === "page_view")).toHaveLength(1);
    expect(counters).toContainEqual(
      expect.objectContaining({ metric: "drop", label: "duplicate", count: 2 }),
    );
  });

  it("leaves no fact in the ledger by refusing, only a number", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    const refusal = { analytics: "denied", reason: "no_consent" };
    expect(await collector.consent(sessionId, reject)).toEqual(refusal);
    expect(await collector.consent(sessionId, reject)).toEqual(refusal);
    const { counters } = await collector.spooled();
    expect(counters.filter((row) => row.metric === "consent")).toMatchObject([
      { label: "rejected", detail: "reject_all", page: "", count: 1 },
    ]);
  });
});

describe.each([
  ["Do Not Track", { dnt: "1" }, "dnt"],
  ["Global Privacy Control", { "sec-gpc": "1" }, "gpc"],
])("a browser with %s", (_name, signal, reason) => {
  it("leaves numbers only, with the reason", async () => {
    const collector = await product.another();
    const { answers, identifying } = await visit(collector, signal);
    expect(answers).toEqual(Array.from(answers, () => ({ outcome: "counted", reason })));
    const { counters } = await collector.spooled();
    expect(counters.map((row) => row.label)).toEqual(Array.from(counters, () => reason));
    await expectOnlyNumbers(collector, identifying);
  });

  it("is counted at the start, whatever the client expects", async () => {
    const collector = await product.another();
    const body = { landingPage: "/faq", consentPending: true };
    const { sessionId } = await collector.start(body, signal);
    await collector.track(paths.sessionEnd, { sessionId, consentPending: true }, signal);
    const { counters } = await collector.spooled();
    expect(counters.map(({ metric }) => metric)).toEqual(["session", "session_end"]);
  });

  it("cannot consent, whatever is clicked", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    const answer = await collector.consent(sessionId, accept, { ...deviceHeaders, ...signal });
    expect(answer).toEqual({ analytics: "denied", reason });
    expect(await collector.track(paths.trackPageView, { sessionId, page: "/" })).toEqual({
      outcome: "counted",
      reason: "no_consent",
    });
    const { events, counters } = await collector.spooled();
    expect(events).toEqual([]);
    expect(counters).toContainEqual(
      expect.objectContaining({ metric: "consent", label: reason, detail: reason }),
    );
  });

  it("is not tracked although its visitor consented before", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    await collector.consent(sessionId, accept);
    const report = { sessionId, page: "/secret-interest" };
    expect(await collector.track(paths.trackPageView, report, signal)).toEqual({
      outcome: "counted",
      reason,
    });
    expect((await collector.track(paths.trackPageView, report)).outcome).toBe("stored");
  });
});
