import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";
import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { platformProblems, Problem } from "@pro-talent/schemas/primitives/problem";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const problems = { ...platformProblems, ...analyticsProblems };
const day = 24 * 60 * 60 * 1000;

let product: CollectorsAndLedger;
let collector: CollectorUnderTest;
let sessionId: string;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
  collector = product.collector;
  ({ sessionId } = await collector.start());
  await collector.consent(sessionId, accept);
});
afterAll(() => product.stop());

const pageView = (change: Record<string, unknown> = {}) => ({ sessionId, page: "/", ...change });

describe("a report that is refused", () => {
  const long = "x".repeat(10_240);
  const deep = `${"[".repeat(7_000)}${"]".repeat(7_000)}`;
  const cases: [string, string, () => unknown, keyof typeof problems][] = [
    ["broken JSON", paths.trackPageView, () => '{"sessionId":', "malformed_json"],
    ["no body", paths.trackPageView, () => "", "malformed_json"],
    ["a prototype key", paths.trackEvent, () => '{"__proto__":{"a":1}}', "malformed_json"],
    [
      "a prototype key in escapes",
      paths.trackEvent,
      () => String.raw`{"eventData":{"\u005f_proto__":{"a":1}}}`,
      "malformed_json",
    ],
    [
      "bytes that are not UTF-8",
      paths.trackPageView,
      () => Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      "invalid_encoding",
    ],
    ["a body above 16 KiB", paths.trackPageView, () => `"${"x".repeat(16_384)}"`, "body_too_large"],
    ["an array", paths.trackPageView, () => [], "invalid_body"],
    ["no session", paths.trackPageView, () => ({ page: "/" }), "invalid_body"],
    ["a number as page", paths.trackPageView, () => pageView({ page: 1 }), "invalid_body"],
    [
      "a session of 10 kB",
      paths.trackPageView,
      () => pageView({ sessionId: long }),
      "invalid_body",
    ],
    [
      "coordinates that are text",
      paths.trackClick,
      () => pageView({ element: "a", coordinates: { x: "1", y: 2 } }),
      "invalid_body",
    ],
    [
      "coordinates that are no number",
      paths.trackClick,
      () => `{"sessionId":"x","page":"/","element":"a","coordinates":{"x":1e999,"y":0}}`,
      "invalid_body",
    ],
    [
      "data nested too deeply",
      paths.trackEvent,
      () => `{"sessionId":"x","eventType":"a","eventData":{"a":${deep}}}`,
      "invalid_body",
    ],
    [
      "an event id that is no UUID",
      paths.trackPageView,
      () => pageView({ eventId: "1" }),
      "invalid_body",
    ],
    [
      "an event id that every event has",
      paths.trackPageView,
      () => pageView({ eventId: "00000000-0000-0000-0000-000000000000" }),
      "invalid_body",
    ],
    [
      "a made-up session",
      paths.trackPageView,
      () => pageView({ sessionId: "x" }),
      "unknown_session",
    ],
    [
      "a forged session",
      paths.trackPageView,
      () => pageView({ sessionId: `${uuidV7()}${sessionId.slice(36)}` }),
      "unknown_session",
    ],
    [
      "an unknown session's consent",
      paths.sessionConsent,
      () => ({ sessionId: "x", ...accept }),
      "unknown_session",
    ],
  ];

  it.each(cases)("for %s is answered with its problem", async (_what, path, body, code) => {
    const answer = await collector.post(path, body());
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(Problem.parse(answer.body)).toMatchObject({ code });
    expect(answer.status).toBe(problems[code].status);
  });

  it("is never quoted", async () => {
    const answer = await collector.post(paths.trackPageView, pageView({ title: { secret: 1 } }));
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(answer.body).toMatchObject({ errors: [{ pointer: "/title" }] });
  });

  it("is counted by its reason", async () => {
    const fresh = await product.another();
    for (let n = 0; n < 3; n += 1) await fresh.post(paths.trackPageView, "{");
    await fresh.post(paths.trackPageView, pageView({ sessionId: "x" }));
    await fresh.post(paths.trackPageView, "<p>", { "content-type": "text/html" });
    await fresh.drops.flush();
    const { counters, events } = await fresh.spooled();
    expect(events).toEqual([]);
    const rows = counters.map(({ metric, label, count }) => [metric, label, count]);
    expect(rows).toEqual([
      ["drop", "malformed_json", 3],
      ["drop", "unknown_session", 1],
      ["drop", "unsupported_media_type", 1],
    ]);
    expect((await fresh.server.inject("/metrics")).body).toContain(
      'collector_drops_total{reason="malformed_json"} 3',
    );
  });

  it("may belong to a visit session that is too old", async () => {
    const fresh = await product.another();
    const old = await fresh.start();
    fresh.time.offsetMs = 2 * day + 1_000;
    const answer = await fresh.post(paths.trackPageView, { sessionId: old.sessionId, page: "/" });
    expect(answer).toMatchObject({ status: 404, body: { code: "unknown_session" } });
  });

  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)(
    "as a %s is answered with the allowed method",
    async (method) => {
      for (const url of Object.values(paths)) {
        const response = await collector.server.inject({ method, url });
        expect([response.statusCode, response.headers.allow]).toEqual([405, "POST"]);
        expect(response.headers["access-control-allow-origin"]).toBeUndefined();
      }
    },
  );

  it("is one of too many starts from one address; other addresses are not affected", async () => {
    const limited = await product.another({ callsPerMinute: 5 });
    const from = (address: string) =>
      limited.post(paths.sessionStart, {}, { "x-forwarded-for": address });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await from("203.0.113.1")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await from("203.0.113.1")).headers["retry-after"]).toMatch(/^\d+$/);
    expect((await from("203.0.113.2")).status).toBe(200);
  });

  it("finds the spool full, while a withdrawal is still accepted", async () => {
    const full = await product.another({ spoolBytesMax: 1 });
    const own = await collector.start();
    await collector.consent(own.sessionId, accept);
    // One byte of space: the first record is still accepted, everything after it is not.
    const report = { sessionId: own.sessionId, page: "/" };
    expect((await full.post(paths.trackPageView, report)).status).toBe(202);
    const refused = await full.post(paths.trackPageView, report);
    expect(refused).toMatchObject({ status: 503, body: { code: "spool_full" } });
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    const ready = await full.server.inject("/readyz");
    expect(ready.json()).toMatchObject({ ready: false, missing: ["spool_space"] });
    const none = { hasConsent: false, consentType: "none" };
    expect(await full.consent(own.sessionId, none)).toMatchObject({ analytics: "denied" });
    expect((await collector.track(paths.trackPageView, report)).outcome).toBe("counted");
  });

  it("arrives when the collector is about to stop", async () => {
    const stopping = await product.another();
    stopping.stopTaking();
    for (const [path, body] of [
      [paths.sessionStart, {}],
      [paths.sessionConsent, { sessionId, ...accept }],
      [paths.trackPageView, pageView()],
    ] as const) {
      const answer = await stopping.post(path, body);
      expect(answer).toMatchObject({ status: 503, body: { code: "shutting_down" } });
    }
  });
});
