import { env as environment } from "node:process";

import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import fc from "fast-check";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createStores,
  removeDirectory,
  type Shipping,
  startShipping,
  type Stores,
} from "./ship/testing/shipping-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

const anonymousId = "1740000000000-device-clocks";
const accept = { hasConsent: true, consentType: "detailed" };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** `DEVICE_CLOCK_RUNS=200` replays as many. */
const runs = Number(environment["DEVICE_CLOCK_RUNS"] ?? 5);

let product: CollectorsAndLedger;
let stores: Stores;
let shipping: Shipping;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
  const { sessionId } = await product.collector.start({ anonymousId });
  await product.collector.consent(sessionId, accept);
  stores = await createStores();
  shipping = await startShipping(stores);
});
afterAll(async () => {
  await shipping.stop();
  await removeDirectory(shipping.directory);
  await stores.drop();
  await product.stop();
});

/** Moments of a visit's page views, in milliseconds since its start. */
type Visit = readonly number[];

type Device = {
  /** How far the device's clock is ahead of the collector's at the visit's start. */
  aheadMs: number;
  /** Milliseconds that its clock gains in each second. */
  driftMsPerSecond: number;
  /** How long the start's request is under way. */
  startDelayMs: number;
  /** How long the device has no connection after the visit began, before it sends the start. */
  offlineMs?: number;
};

/** Milliseconds after a page view at which its report arrives. */
type Lateness = (visit: number, view: number) => number;

const exact: Device = { aheadMs: 0, driftMsPerSecond: 0, startDelayMs: 0 };
const atOnce: Lateness = () => 0;
const visitsBegin = Date.UTC(2026, 2, 1, 22);

type Request = { atMs: number; send: () => Promise<void> };

/** Sends visits in the order of arrival. @returns their sessions, and what was spooled of them */
async function send(visits: readonly Visit[], device: Device, lateness: Lateness) {
  const collector = await product.another();
  const ids: string[] = [];
  const requests = visits.flatMap((views, visit): Request[] => {
    const startMs = visitsBegin + visit * 7 * minuteMs;
    const deviceMs = (ms: number): number =>
      Math.round(ms + device.aheadMs + ((ms - startMs) * device.driftMsPerSecond) / 1000);
    const sentMs = startMs + (device.offlineMs ?? 0);
    const start = async (): Promise<void> => {
      const started = await collector.start({
        anonymousId,
        occurredAt: deviceMs(startMs),
        deviceTime: deviceMs(sentMs),
      });
      ids[visit] = started.sessionId;
    };
    const report = async (at: number, page: number): Promise<void> => {
      const ms = deviceMs(startMs + at);
      const body = {
        sessionId: ids[visit],
        page: `/${page}`,
        occurredAt: new Date(ms).toISOString(),
        eventId: uuidV7({ msecs: ms }),
      };
      expect((await collector.post(paths.trackPageView, body)).status).toBe(202);
    };
    const begun = sentMs + device.startDelayMs;
    return [
      { atMs: begun, send: start },
      ...views.map((at, view) => ({
        atMs: Math.max(begun, startMs + at + lateness(visit, view)),
        send: () => report(at, view),
      })),
    ];
  });
  for (const { atMs, send } of requests.toSorted((a, b) => a.atMs - b.atMs)) {
    collector.time.atMs = atMs;
    await send();
  }
  const { events } = await collector.spooled();
  return { ids: ids.map((id) => id.slice(0, 36)), events };
}

/** What the view `sessions` makes of visits as a device reports them, and of the same with an exact clock. */
async function replay(visits: readonly Visit[], device: Device, lateness: Lateness) {
  const [reported, expected] = [
    await send(visits, device, lateness),
    await send(visits, exact, atOnce),
  ];
  const events = [...reported.events, ...expected.events];
  await shipping.store(events.map(({ claim, ...row }) => ({ kind: "event", row, claim })));
  const all = [...reported.ids, ...expected.ids].map((id) => `'${id}'`);
  const seen = await stores.rows(`SELECT session_id, visit, page_views, duration_seconds
    FROM {db}.sessions WHERE session_id IN (${all.join()}) ORDER BY visit`);
  const visitsOf = (id: string) =>
    seen
      .filter((row) => row["session_id"] === id)
      .map((row) => ({
        pageViews: Number(row["page_views"]),
        durationMs: Math.round(Number(row["duration_seconds"]) * 1000),
      }));
  return { sessions: reported.ids.map(visitsOf), expected: expected.ids.map(visitsOf) };
}

/** Pages read for seconds or minutes, and now and then a pause around half an hour. */
const pause = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 * minuteMs }) },
  { weight: 1, arbitrary: fc.integer({ min: 29 * minuteMs, max: 31 * minuteMs }) },
);
const visit = fc
  .array(pause, { minLength: 1, maxLength: 6 })
  .map((pauses) => pauses.reduce<number[]>((at, next) => [...at, (at.at(-1) ?? 0) + next], [0]));
const visits = fc.array(visit, { minLength: 3, maxLength: 6 });
const aheadMs = fc.constantFrom(-120, -30, -5, 0, 5, 30, 120).map((minutes) => minutes * minuteMs);

/** By which an event is late: not at all, minutes in any order, or until the device is online again. */
const lateness: fc.Arbitrary<Lateness> = fc.oneof(
  fc.constant(atOnce),
  fc.array(fc.integer({ min: 0, max: 20 * minuteMs }), { minLength: 7, maxLength: 7 }).map(
    (delays): Lateness =>
      (visitNumber, view) =>
        delays[(visitNumber + view) % 7] ?? 0,
  ),
  fc.integer({ min: hourMs, max: 20 * hourMs }).map(
    (ms): Lateness =>
      () =>
        ms,
  ),
);

describe("the visit sessions of devices whose clocks are wrong", () => {
  it("equal those of exact clocks to the millisecond, whenever and in whatever order they arrive", async () => {
    await fc.assert(
      fc.asyncProperty(visits, aheadMs, lateness, async (replayed, ahead, late) => {
        const { sessions, expected } = await replay(replayed, { ...exact, aheadMs: ahead }, late);
        expect(sessions).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });

  it("are as long as they were when the device was offline at their start, for hours too", async () => {
    const offline = fc.integer({ min: 0, max: 20 * hourMs });
    await fc.assert(
      fc.asyncProperty(visits, aheadMs, offline, lateness, async (replayed, ahead, ms, late) => {
        const device = { ...exact, aheadMs: ahead, offlineMs: ms };
        const { sessions, expected } = await replay(replayed, device, late);
        expect(sessions).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });

  it("differ by no more than the request's delay and the clock's drift", async () => {
    const wrong = fc.record({
      aheadMs,
      startDelayMs: fc.integer({ min: 0, max: 5_000 }),
      // Half a second in an hour: more than any quartz.
      driftMsPerSecond: fc.double({ min: -0.14, max: 0.14, noNaN: true }),
    });
    const calm = visits.map((all) => all.map((views) => views.filter((at) => at < 29 * minuteMs)));
    await fc.assert(
      fc.asyncProperty(calm, wrong, lateness, async (replayed, device, late) => {
        const found = await replay(replayed, device, late);
        const [sessions, expected] = [found.sessions.flat(), found.expected.flat()];
        expect(sessions.map((session) => session.pageViews)).toEqual(
          expected.map((session) => session.pageViews),
        );
        for (const [index, session] of sessions.entries()) {
          const difference = Math.abs(session.durationMs - (expected[index]?.durationMs ?? 0));
          expect(difference).toBeLessThanOrEqual(device.startDelayMs + 500);
        }
      }),
      { numRuns: runs },
    );
  });
});
