import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const withdraw = { hasConsent: false, consentType: "none" };

describe("a decision that was acknowledged", () => {
  let product: CollectorsAndLedger;
  let other: CollectorUnderTest;
  beforeAll(async () => {
    product = await startCollectorsAndLedger();
    other = await product.another();
  });
  afterAll(() => product.stop());

  const outcome = async (collector: CollectorUnderTest, sessionId: string): Promise<string> =>
    (await collector.track(paths.trackPageView, { sessionId, page: "/" })).outcome;

  it("holds for the very next event, on every instance", async () => {
    const { collector } = product;
    const { sessionId } = await collector.start();
    expect(await outcome(other, sessionId)).toBe("counted");
    for (let n = 0; n < 10; n += 1) {
      await collector.consent(sessionId, accept);
      expect(await outcome(other, sessionId)).toBe("stored");
      await other.consent(sessionId, withdraw);
      expect(await outcome(collector, sessionId)).toBe("counted");
    }
  });

  it("holds under load by other visitors", async () => {
    const { collector } = product;
    const others = await Promise.all(Array.from({ length: 20 }, () => collector.start()));
    let busy = true;
    const load = others.map(async ({ sessionId }) => {
      while (busy) expect(await outcome(other, sessionId)).toBe("counted");
    });
    const { sessionId } = await collector.start();
    for (let n = 0; n < 10; n += 1) {
      await other.consent(sessionId, accept);
      expect(await outcome(other, sessionId)).toBe("stored");
      await other.consent(sessionId, withdraw);
      expect(await outcome(other, sessionId)).toBe("counted");
    }
    busy = false;
    await Promise.all(load);
  });

  it("holds for the visitor's other visit sessions and next visits", async () => {
    const { collector } = product;
    const anonymousId = "1740000000002-two-tabs";
    const first = await collector.start({ anonymousId });
    const second = await collector.start({ anonymousId });
    await collector.consent(first.sessionId, accept);
    expect(await outcome(collector, second.sessionId)).toBe("stored");
    await collector.consent(second.sessionId, withdraw);
    expect(await outcome(collector, first.sessionId)).toBe("counted");
    const { counters } = await collector.spooled();
    const before = counters.filter((row) => row.metric === "session").length;
    await collector.start({ anonymousId });
    const after = (await collector.spooled()).counters.filter((row) => row.metric === "session");
    expect(after.length - before).toBe(1);
  });

  it("records in the ledger which text was shown", async () => {
    const { collector } = product;
    const { sessionId } = await collector.start();
    const notice = { version: "2025-10-17", language: "he", textHash: "ab".repeat(32) };
    const { receiptId } = await collector.consent(sessionId, {
      ...accept,
      method: "customise",
      notice,
    });
    const response = await fetch(
      `${product.setting.ledgerUrl}/api/consent/receipts/${String(receiptId)}`,
    );
    expect(await response.json()).toMatchObject({ method: "customise", notice });
  });
});

describe("a decision that could not be recorded", () => {
  let product: CollectorsAndLedger;
  beforeAll(async () => {
    product = await startCollectorsAndLedger();
  });
  afterAll(() => product.stop());

  it("is not acknowledged, and changes nothing", async () => {
    const alone = await product.another({ ledgerUrl: "http://127.0.0.1:1" });
    const { sessionId } = await alone.start();
    const answer = await alone.post(paths.sessionConsent, { sessionId, ...accept });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: "ledger_unavailable" },
      headers: { "retry-after": "2" },
    });
    const { outcome } = await alone.track(paths.trackPageView, { sessionId, page: "/" });
    expect(outcome).toBe("counted");
    expect((await alone.spooled()).events).toEqual([]);
  });

  it("is never assumed: without the ledger's database nothing is stored or counted", async () => {
    const blind = await product.another({
      databaseUrl: product.setting.databaseUrl.replace(/:\d+\//, ":1/"),
      gateDeadlineMs: 200,
    });
    const { sessionId } = await product.collector.start();
    const answer = await blind.post(paths.trackPageView, { sessionId, page: "/" });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: "consent_unavailable" },
      headers: { "retry-after": "1" },
    });
    expect((await blind.post(paths.sessionStart, {})).status).toBe(503);
    expect(await blind.spooled()).toEqual({ events: [], counters: [], opens: [], viewings: [] });
    const ready = await blind.server.inject("/readyz");
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ ready: false, missing: ["consent_gate"] });
  });
});
