import { TrackResults, analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { CollectorSetting, CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

async function visit(setting: Partial<CollectorSetting> = {}) {
  const collector = await product.another(setting);
  collector.time.atMs = Date.UTC(2026, 2, 1, 8);
  const { sessionId } = await collector.start();
  await collector.consent(sessionId, { hasConsent: true, consentType: "detailed" });
  return { collector, sessionId };
}

async function send(collector: CollectorUnderTest, sessionId: string, events: unknown[]) {
  const { status, body } = await collector.post(paths.trackEvents, { sessionId, events });
  expect(status).toBe(202);
  return TrackResults.parse(body).results;
}

const view = { type: "pageview", page: "/pricing" };

describe("several events in one call", () => {
  it("are stored as by their own calls, in their order", async () => {
    const { collector, sessionId } = await visit();
    const occurredAt = Date.UTC(2026, 2, 1, 8);
    const results = await send(collector, sessionId, [
      { ...view, title: "Pricing", occurredAt },
      { type: "click", page: "/pricing", element: "plan" },
      { type: "event", eventType: "billing_toggle", eventData: { cycle: "annual" } },
      { type: "end", exitPage: "/about" },
    ]);
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ status: 202, outcome: "stored" })));
    const { events } = await collector.spooled();
    expect(events.slice(1).map((row) => [row.kind, row.page])).toEqual([
      ["page_view", "/pricing"],
      ["click", "/pricing"],
      ["custom", ""],
      ["session_end", "/about"],
    ]);
    expect(events[1]).toMatchObject({ page_title: "Pricing", time_source: "device" });
  });

  it("lose none when some cannot be read, each with its own result", async () => {
    const { collector, sessionId } = await visit();
    let deep: object = {};
    for (let depth = 0; depth < 100; depth += 1) deep = { deep };
    const results = await send(collector, sessionId, [
      view,
      { type: "pageview" },
      null,
      "text",
      { type: "purchase", page: "/" },
      { type: "event", eventType: "deep", eventData: deep },
      { type: "event", eventType: "page_engagement", eventData: { engagedMs: "long" } },
      { ...view, page: "/about" },
    ]);
    expect(results.map(({ status }) => status)).toEqual([202, 422, 422, 422, 422, 422, 422, 202]);
    expect(results[1]).toEqual({ status: 422, code: "invalid_body" });
    await collector.drops.flush();
    const { events, counters } = await collector.spooled();
    expect(events.slice(1).map(({ page }) => page)).toEqual(["/pricing", "/about"]);
    expect(counters).toContainEqual(
      expect.objectContaining({ metric: "drop", label: "invalid_body", count: 6 }),
    );
  });

  it("keep the ids of their client, so that a repeated batch is stored once", async () => {
    const { collector, sessionId } = await visit();
    const batch = [1, 2].map(() => ({ ...view, eventId: uuidV7() }));
    await send(collector, sessionId, batch);
    await send(collector, sessionId, batch);
    const { events } = await collector.spooled();
    const ids = events.slice(1).map(({ event_id, claim }) => [event_id, claim]);
    expect(ids).toEqual([...batch, ...batch].map(({ eventId }) => [eventId, true]));
  });

  it("without consent are counted, and nothing else is kept", async () => {
    const collector = await product.another();
    const { sessionId } = await collector.start();
    const engagement = { engagedMs: 1, scrollDepth: 1 };
    const results = await send(collector, sessionId, [
      view,
      { type: "event", eventType: "page_engagement", eventData: engagement },
    ]);
    const counted = { status: 202, outcome: "counted", reason: "no_consent" };
    expect(results).toEqual([counted, counted]);
    const { events, counters } = await collector.spooled();
    expect(events).toEqual([]);
    expect(counters.map(({ metric, page }) => [metric, page])).toEqual([
      ["session", ""],
      ["page_view", "/pricing"],
      ["custom", ""],
    ]);
  });

  it("count for the session's limit as many as they are", async () => {
    const { collector, sessionId } = await visit({ callsPerMinute: 5 });
    await send(collector, sessionId, [view, view, view]);
    await send(collector, sessionId, [view, view, view]);
    const refused = await collector.post(paths.trackPageView, { sessionId, page: "/" });
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    collector.time.atMs = Date.UTC(2026, 2, 1, 8, 1);
    await send(collector, sessionId, [view]);
  });

  it("are refused as a whole when there are none or more than a hundred, or more than 64 kB", async () => {
    const { collector, sessionId } = await visit();
    const refusal = async (events: unknown[]) =>
      (await collector.post(paths.trackEvents, { sessionId, events })).status;
    expect(await refusal([])).toBe(422);
    expect(await refusal(Array.from({ length: 101 }, () => view))).toBe(422);
    expect(await refusal([{ ...view, title: "x".repeat(65_536) }])).toBe(413);
    expect(await refusal(Array.from({ length: 100 }, () => view))).toBe(202);
  });

  it("of an unknown session are refused", async () => {
    const answer = await product.collector.post(paths.trackEvents, {
      sessionId: "unknown",
      events: [view],
    });
    expect(answer).toMatchObject({ status: 404, body: { code: "unknown_session" } });
  });
});
