import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import fc from "fast-check";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };

/** Sent with every call, so that those of servers are reached as well. */
const serverKey = "key-of-a-server-000000000000000000001";

let product: CollectorsAndLedger;
let sessionId: string;
beforeAll(async () => {
  product = await startCollectorsAndLedger({ serverKeys: [serverKey] });
  ({ sessionId } = await product.collector.start());
  await product.collector.consent(sessionId, accept);
});
afterAll(() => product.stop());

const pageView = (change: Record<string, unknown> = {}) => ({ sessionId, page: "/", ...change });

describe("the address of a visitor", () => {
  /** The addresses that were looked up while a page was viewed with these headers. */
  async function locatedWith(
    trustedProxies: readonly string[],
    headers: Record<string, string>,
  ): Promise<string[]> {
    const located: string[] = [];
    const locate = (address: string) => {
      located.push(address);
      return { country: "", region: "", city: "" };
    };
    const collector = await product.another({ locate, trustedProxies });
    await collector.track(paths.trackPageView, pageView(), headers);
    return located;
  }

  it("is taken from a forwarding header only when a trusted proxy sent it", async () => {
    const forwarded = { "x-forwarded-for": "198.51.100.7, 203.0.113.9" };
    // The last address is the one that the proxy itself saw; those before it may be invented.
    expect(await locatedWith(["127.0.0.1"], forwarded)).toEqual(["203.0.113.9"]);
    expect(await locatedWith([], forwarded)).toEqual(["127.0.0.1"]);
    const others = ["forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"];
    const claims = Object.fromEntries(others.map((name) => [name, "203.0.113.9"]));
    expect(await locatedWith(["127.0.0.1"], claims)).toEqual(["127.0.0.1"]);
  });

  it("is that of the visitor behind a network of delivery servers as well", async () => {
    const chain = { "x-forwarded-for": "192.0.2.1, 203.0.113.9:4711, 198.51.100.7" };
    expect(await locatedWith(["127.0.0.1", "198.51.100.0/24"], chain)).toEqual(["203.0.113.9"]);
    expect(await locatedWith(["127.0.0.1"], chain)).toEqual(["198.51.100.7"]);
  });
});

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

describe("any input", () => {
  const anyBody = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 6 }),
    fc.string({ unit: "binary", maxLength: 300 }).map((text) => JSON.stringify(text)),
    fc
      .record(
        {
          sessionId: fc.oneof(fc.constant("own"), fc.string(), fc.jsonValue()),
          page: fc.oneof(fc.string({ unit: "binary", maxLength: 3_000 }), fc.jsonValue()),
          title: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
          element: fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.jsonValue()),
          eventType: fc.oneof(fc.constant("type"), fc.string(), fc.jsonValue()),
          eventData: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
          coordinates: fc.oneof(fc.record({ x: fc.double(), y: fc.double() }), fc.jsonValue()),
          occurredAt: fc.oneof(fc.date({ noInvalidDate: true }), fc.string()),
          eventId: fc.oneof(fc.uuid(), fc.string()),
          referrer: fc.oneof(fc.webUrl(), fc.string({ unit: "binary" })),
          landingPage: fc.string({ unit: "binary" }),
          anonymousId: fc.oneof(fc.string(), fc.constant(null)),
          utm: fc.dictionary(
            fc.constantFrom("source", "medium", "term"),
            fc.string({ unit: "binary" }),
          ),
          exitPage: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((body) =>
        JSON.stringify(body, (_key, value: unknown) => (value === "own" ? sessionId : value)),
      ),
  );
  const headerText = fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCodePoint(code)),
    maxLength: 80,
  });
  const anyHeaders = fc.dictionary(
    fc.constantFrom(
      "user-agent",
      "x-forwarded-for",
      "x-forwarded-host",
      "accept-language",
      "dnt",
      "sec-gpc",
      "sec-purpose",
      "x-screen-resolution",
      "x-timezone",
      "x-device-memory",
      "content-type",
      "origin",
    ),
    fc.oneof(headerText, fc.constantFrom("application/json", "text/plain", "1", "::1", "prefetch")),
  );

  it("is answered without failing, and affects no other report", async () => {
    const busy = await product.another();
    let good = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(paths)),
        anyBody,
        anyHeaders,
        async (path, body, headers) => {
          const report = pageView({ page: "/good", eventId: uuidV7() });
          const [answer, stored] = await Promise.all([
            busy.post(path, body, { authorization: `Bearer ${serverKey}`, ...headers }),
            busy.track(paths.trackPageView, report),
          ]);
          good += 1;
          expect(answer.status).not.toBe(500);
          expect([200, 202, 400, 404, 413, 415, 422]).toContain(answer.status);
          expect(stored.outcome).toBe("stored");
        },
      ),
      { numRuns: 400 },
    );
    const { events } = await busy.spooled();
    expect(events.filter((event) => event.page === "/good")).toHaveLength(good);
  });

  it("is stored as valid text when it is accepted", async () => {
    const own = await product.another();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
        fc.dictionary(fc.string({ unit: "binary", maxLength: 64 }), fc.jsonValue({ maxDepth: 3 }), {
          maxKeys: 3,
        }),
        async (title, element, eventData) => {
          // Half characters arrive as JSON escapes, which are valid UTF-8.
          const escaped = JSON.stringify({ half: "\ud800" }).slice(1, -1);
          const text = JSON.stringify(pageView({ title, element, eventType: "t", eventData }));
          const body = `{${escaped},${text.slice(1)}`;
          for (const path of [paths.trackPageView, paths.trackClick, paths.trackEvent]) {
            const answer = await own.post(path, body);
            expect([202, 422, 400]).toContain(answer.status);
          }
        },
      ),
      { numRuns: 100 },
    );
    const text = await own.spoolText();
    expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i);
    const { events } = await own.spooled();
    expect(events.length).toBeGreaterThan(100);
    for (const event of events) expect(() => parseJson(event.event_data)).not.toThrow();
  });
});
