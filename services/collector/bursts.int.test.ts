import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readServiceEnv } from "./env.ts";
import type { CollectorUnderTest } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const accept = { hasConsent: true, consentType: "detailed" };
const start = Date.UTC(2026, 2, 1, 8);
const { CALLS_PER_MINUTE: callsPerMinute } = readServiceEnv({
  LEDGER_URL: "http://ledger",
  ACCOUNTS_URL: "http://accounts",
  INTERNAL_TOKEN: "t".repeat(32),
  DATABASE_URL: "postgres://collector",
  CLICKHOUSE_URL: "http://clickhouse",
  CLICKHOUSE_DATABASE: "pro_talent",
  PUBLIC_ORIGIN: "https://pro-talent.example",
  SPOOL_DIR: "/spool",
  COLLECTOR_KEY: "k".repeat(32),
});

let product: CollectorsAndLedger;
let collector: CollectorUnderTest;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

/** A collector with the limits that it has by default, or others, which no earlier test has used. */
async function withLimits(perMinute = callsPerMinute): Promise<void> {
  collector = await product.another({ callsPerMinute: perMinute });
  collector.time.atMs = start;
}

type Sent = { path: string; body: Record<string, unknown>; address: string };
type Delivery = { refused: number; waitedMs: number };

/**
 * Sends reports one after another, as the browser's client does: a refusal for the limit is repeated
 * after the time that it states.
 * @throws when the same report is refused more often than the client would repeat it
 */
async function deliver(reports: readonly Sent[]): Promise<Delivery> {
  const delivery = { refused: 0, waitedMs: 0 };
  for (const { path, body, address } of reports) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await collector.post(path, body, { "x-forwarded-for": address });
      if (answer.status === 202) break;
      expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      if (attempt === 8) throw new Error("The client would give up");
      const waitMs = Number(answer.headers["retry-after"]) * 1000;
      delivery.refused += 1;
      delivery.waitedMs += waitMs;
      collector.time.atMs = (collector.time.atMs ?? 0) + waitMs;
    }
  }
  return delivery;
}

async function consenting(address: string): Promise<string> {
  const headers = { "x-forwarded-for": address };
  const { sessionId } = await collector.start({}, headers);
  await collector.consent(sessionId, accept, headers);
  return sessionId;
}

const report = (
  sessionId: string,
  address: string,
  { page = "/", atMs = collector.time.atMs ?? start } = {},
): Sent => ({
  path: paths.trackPageView,
  body: { sessionId, page, eventId: uuidV7(), occurredAt: new Date(atMs).toISOString() },
  address,
});

const viewsStored = async (): Promise<number> =>
  (await collector.spooled()).events.filter(({ kind }) => kind === "page_view").length;

describe("with the default limits nothing is refused of", () => {
  it("an office of 200 people behind one address who open the site in the same minute", async () => {
    await withLimits();
    const address = "203.0.113.1";
    const people = Array.from({ length: 200 }, async () => {
      const sessionId = await consenting(address);
      const pages = ["/", "/pricing", "/about", "/faq", "/contact"];
      return deliver(pages.map((page) => report(sessionId, address, { page })));
    });
    const refusals = (await Promise.all(people)).map(({ refused }) => refused);
    expect(new Set(refusals)).toEqual(new Set([0]));
    expect(await viewsStored()).toBe(1000);
  });

  it("a person who clicks through twenty pages in ten seconds", async () => {
    await withLimits();
    const address = "203.0.113.2";
    const sessionId = await consenting(address);
    const clicks = Array.from({ length: 20 }, (_, n): Sent[] => [
      {
        ...report(sessionId, address),
        path: paths.trackClick,
        body: { sessionId, page: "/", element: `link-${n}`, category: "navigation" },
      },
      report(sessionId, address, { page: `/blog/${n}` }),
    ]);
    expect(await deliver(clicks.flat())).toEqual({ refused: 0, waitedMs: 0 });
    expect(await viewsStored()).toBe(20);
  });

  it("a form that reports 300 changes in a minute", async () => {
    await withLimits();
    const address = "203.0.113.3";
    const sessionId = await consenting(address);
    const changes = Array.from({ length: 300 }, (_, n): Sent => ({
      path: paths.trackEvent,
      body: {
        sessionId,
        eventType: "form_changed",
        eventData: { field: n % 12 },
        eventId: uuidV7(),
      },
      address,
    }));
    expect(await deliver(changes)).toEqual({ refused: 0, waitedMs: 0 });
    const { events } = await collector.spooled();
    expect(events.filter(({ event_type: type }) => type === "form_changed")).toHaveLength(300);
  });
});

describe("who waits as the answer says loses nothing", () => {
  it("of a day's events on a phone that is online again, all in their session and at their times", async () => {
    await withLimits();
    const address = "203.0.113.4";
    const sessionId = await consenting(address);
    const hours = 23;
    const count = 700;
    const events = Array.from({ length: count }, (_, n) =>
      report(sessionId, address, { page: "/blog", atMs: start + (n * hours * 3_600_000) / count }),
    );
    collector.time.atMs = start + hours * 3_600_000;
    expect(await deliver(events)).toEqual({ refused: 1, waitedMs: 60_000 });
    const { events: rows } = await collector.spooled();
    const views = rows.filter(({ kind }) => kind === "page_view");
    expect(views).toHaveLength(count);
    expect(new Set(views.map(({ session_id: session }) => session)).size).toBe(1);
    const times = new Set(views.map(({ occurred_at: at }) => at));
    expect(times.size).toBe(count);
  });
});

describe("with the same limits an attacker stores no more per minute than", () => {
  it("600 reports in one session, from however many addresses", async () => {
    await withLimits();
    const sessionId = await consenting("198.51.100.1");
    const statuses = await flood(800, (n) => report(sessionId, `198.51.100.${n % 250}`));
    expect(statuses).toEqual({ 202: 600, 429: 200 });
  });

  it("twenty times that from one address, which may start 600 sessions (a tenth of both here)", async () => {
    await withLimits(callsPerMinute / 10);
    const address = "198.51.100.2";
    const started = await flood(80, () => ({ path: paths.sessionStart, body: {}, address }));
    expect(started).toEqual({ 200: 60, 429: 20 });
    const sessions: string[] = [];
    for (let n = 0; n < 25; n += 1) sessions.push(await consenting(`203.0.114.${n}`));
    const sent = await flood(1300, (n) => report(sessions[n % 25] ?? "", address));
    expect(sent).toEqual({ 202: 1200, 429: 100 });
  });
});

/** How many of the calls got which answer; they go out twenty at a time. */
async function flood(count: number, call: (n: number) => Sent): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let from = 0; from < count; from += 20) {
    const calls = Array.from({ length: Math.min(20, count - from) }, (_, n) => call(from + n));
    const answers = await Promise.all(
      calls.map(({ path, body, address }) =>
        collector.post(path, body, { "x-forwarded-for": address }),
      ),
    );
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}
