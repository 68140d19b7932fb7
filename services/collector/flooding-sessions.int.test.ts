import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { distinctPerDayMax } from "./ingest/session-limits.ts";
import type { CollectorSetting, CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

async function visit(setting: Partial<CollectorSetting> = {}) {
  const collector = await product.another(setting);
  collector.time.atMs = Date.UTC(2026, 2, 1, 8);
  return { collector, sessionId: await consenting(collector) };
}

async function consenting(collector: CollectorUnderTest): Promise<string> {
  const { sessionId } = await collector.start();
  await collector.consent(sessionId, accept);
  return sessionId;
}

describe("too many reports", () => {
  const view = async (collector: CollectorUnderTest, sessionId: string, address: string) =>
    collector.post(paths.trackPageView, { sessionId, page: "/" }, { "x-forwarded-for": address });

  it("of one session are refused until the next minute; other sessions are not affected", async () => {
    const { collector, sessionId } = await visit({ callsPerMinute: 5 });
    const other = await consenting(collector);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await view(collector, sessionId, `203.0.113.${n}`)).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    collector.time.atMs = (collector.time.atMs ?? 0) + 20_000;
    const refused = await view(collector, sessionId, "203.0.113.9");
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers["retry-after"]).toBe("40");
    expect((await view(collector, other, "203.0.113.9")).status).toBe(202);
    collector.time.atMs += 40_000;
    expect((await view(collector, sessionId, "203.0.113.9")).status).toBe(202);
  });

  it("from one address are refused, in however many sessions; other addresses are not affected", async () => {
    const { collector } = await visit({ callsPerMinute: 3 });
    const statuses: number[] = [];
    for (let session = 0; session < 21; session += 1) {
      const address = { "x-forwarded-for": `198.51.100.${session}` };
      const { sessionId } = await collector.start({}, address);
      for (let n = 0; n < 3; n += 1) {
        statuses.push((await view(collector, sessionId, "203.0.113.1")).status);
      }
    }
    expect(statuses.indexOf(429)).toBe(60);
    const { sessionId } = await collector.start({}, { "x-forwarded-for": "198.51.100.99" });
    expect((await view(collector, sessionId, "203.0.113.1")).headers["retry-after"]).toMatch(
      /^\d+$/,
    );
    expect((await view(collector, sessionId, "203.0.113.2")).status).toBe(202);
  });
});

describe("a session that invents pages, referrers and types of events", () => {
  it("has a bounded number of each in a day; the rest is stored under one value", async () => {
    const { collector, sessionId } = await visit();
    const invent = async (n: number): Promise<void> => {
      const referrer = `https://site-${String.fromCodePoint(97 + (n % 26))}${n}.example/`;
      const page = `/page-${n}`;
      expect(await collector.track(paths.trackPageView, { sessionId, page, referrer })).toEqual({
        outcome: "stored",
      });
      await collector.track(paths.trackEvent, { sessionId, eventType: `type-${n}` });
    };
    for (let n = 0; n < 250; n += 1) await invent(n);
    await collector.track(paths.trackPageView, { sessionId, page: "/page-3" });
    const { events } = await collector.spooled();
    const different = (field: "page" | "page_referrer" | "event_type") =>
      new Set(events.map((event) => event[field]).filter((value) => value !== "")).size;
    expect(different("page")).toBe(distinctPerDayMax.page + 1);
    expect(different("page_referrer")).toBe(distinctPerDayMax.referrer + 1);
    expect(different("event_type")).toBe(distinctPerDayMax.eventType + 1);
    expect(events.filter(({ kind }) => kind === "page_view")).toHaveLength(251);
    expect(events.at(-1)?.page).toBe("/page-3");
    expect(events.at(-2)).toMatchObject({ event_type: ":other" });

    collector.time.atMs = (collector.time.atMs ?? 0) + 24 * 60 * 60_000;
    await collector.track(paths.trackPageView, { sessionId, page: "/page-249" });
    expect((await collector.spooled()).events.at(-1)?.page).toBe("/page-249");
  });
});
