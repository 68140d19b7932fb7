import { randomInt } from "node:crypto";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { EventRow } from "@pro-talent/schemas/analytics/row";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ClosedSegment } from "../spool/segment.ts";
import { eventRecord } from "../spool/testing/rows.ts";
import {
  createStores,
  emptyTables,
  removeDirectory,
  startShipping,
  type Stores,
} from "./testing/shipping-under-test.ts";
import {
  type Mishap,
  startUnreliableProxy,
  type UnreliableProxy,
} from "./testing/unreliable-proxy.ts";

let stores: Stores;
let proxy: UnreliableProxy;
let directories: string[] = [];

beforeAll(async () => {
  stores = await createStores();
  proxy = await startUnreliableProxy(stores.clickhouse.url);
});
afterEach(async () => {
  for (const directory of directories) await removeDirectory(directory);
  directories = [];
});
afterAll(async () => {
  await proxy.close();
  await stores.drop();
});

const pauses = [0, 1000, 60_000, 1_799_999, 1_800_000, 1_800_001, 2_700_000, 86_400_000 - 1];
const kinds = ["session_start", "page_view", "page_view", "click", "custom", "session_end"];

/** Histories of a few visit sessions: pauses around half an hour, over midnight and the month's end. */
const history = fc.array(
  fc.record({
    startsAt: fc.integer({
      min: Date.UTC(2026, 1, 27, 22),
      max: Date.UTC(2026, 2, 1, 2),
    }),
    visitor: fc.nat(2),
    channel: fc.constantFrom("direct", "search"),
    steps: fc.array(
      fc.record({
        pause: fc.constantFrom(...pauses),
        kind: fc.constantFrom(...kinds),
        page: fc.nat(2),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

const hex = (n: number): string => n.toString(16).padStart(12, "0");

type Histories = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

function rowsOf(sessions: Histories): EventRow[] {
  return sessions.flatMap(({ startsAt, visitor, channel, steps }, index) => {
    let at = startsAt;
    return steps.map(({ pause, kind, page }) => {
      at += pause;
      const record = eventRecord({
        kind,
        channel,
        session_id: `00000000-0000-4000-8000-${hex(index + 1)}`,
        visitor_id: `00000000-0000-4000-9000-${hex(visitor + 1)}`,
        session_started_at: new Date(startsAt).toISOString(),
        occurred_at: new Date(at).toISOString(),
        page: `/${page}`,
      });
      if (record.kind !== "event") throw new Error("not an event");
      return record.row;
    });
  });
}

/** Visit sessions by definition: sorted by time, split where nothing happened for half an hour. */
function modelSessions(rows: readonly EventRow[]): unknown[] {
  const visits: Record<string, unknown>[] = [];
  for (const [session_id, own] of Map.groupBy(rows, (row) => row.session_id)) {
    const sorted = own.toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at));
    let visit: EventRow[] = [];
    const close = (): void => {
      const of = (kind: string): number => visit.filter((row) => row.kind === kind).length;
      visits.push({
        session_id,
        started_at: visit[0]?.occurred_at,
        ended_at: visit.at(-1)?.occurred_at,
        page_views: of("page_view"),
        clicks: of("click"),
        custom_events: of("custom"),
        events: visit.length,
        ended_explicitly: Number(
          visit.some(
            (row) => row.kind === "session_end" && row.occurred_at === visit.at(-1)?.occurred_at,
          ),
        ),
      });
    };
    for (const row of sorted) {
      const last = visit.at(-1);
      const pause =
        last === undefined ? 0 : Date.parse(row.occurred_at) - Date.parse(last.occurred_at);
      if (pause >= 1_800_000) {
        close();
        visit = [];
      }
      visit.push(row);
    }
    close();
  }
  return visits.toSorted(byText);
}

function modelPages(rows: readonly EventRow[]): unknown[] {
  const views = rows.filter((row) => row.kind === "page_view");
  const groups = Map.groupBy(views, (row) => `${row.occurred_at.slice(0, 10)} ${row.page}`);
  return [...groups]
    .map(([key, own]) => ({
      day: key.slice(0, 10),
      page: key.slice(11),
      page_views: own.length,
      sessions: new Set(own.map((row) => row.session_id)).size,
      visitors: new Set(own.map((row) => row.visitor_id)).size,
    }))
    .toSorted(byText);
}

/** All events of a history are of one country and device. */
function modelAudience(rows: readonly EventRow[]): unknown[] {
  const groups = Map.groupBy(rows, (row) => row.session_started_at.slice(0, 10));
  return [...groups]
    .map(([day, own]) => ({
      day,
      sessions: new Set(own.map((row) => row.session_id)).size,
      visitors: new Set(own.map((row) => row.visitor_id)).size,
      page_views: own.filter((row) => row.kind === "page_view").length,
    }))
    .toSorted(byText);
}

function modelReferrers(rows: readonly EventRow[]): unknown[] {
  const groups = Map.groupBy(
    rows,
    (row) => `${row.session_started_at.slice(0, 10)} ${row.channel}`,
  );
  return [...groups]
    .map(([key, own]) => ({
      day: key.slice(0, 10),
      channel: key.slice(11),
      sessions: new Set(own.map((row) => row.session_id)).size,
      visitors: new Set(own.map((row) => row.visitor_id)).size,
      page_views: own.filter((row) => row.kind === "page_view").length,
    }))
    .toSorted(byText);
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left).localeCompare(JSON.stringify(right));
}

async function view(columns: string, from: string): Promise<unknown[]> {
  const rows = await stores.rows(
    `SELECT ${columns} FROM {db}.${from} SETTINGS date_time_output_format = 'iso'`,
  );
  return rows.toSorted(byText);
}

/** Ships through the proxy: twice over copies of the segments, as after a crash. */
async function shipBadly(rows: readonly EventRow[], cuts: readonly number[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "exactly-once-"));
  directories.push(directory);
  const segments: ClosedSegment[] = [];
  const writer = await startShipping(stores, { directory, onSegment: (one) => segments.push(one) });
  let from = 0;
  for (const to of [...new Set([...cuts.map((cut) => cut % rows.length), rows.length])].toSorted(
    (a, b) => a - b,
  )) {
    // Every record is sent up to three times, as a client that gets no answer does.
    const some = rows.slice(from, to).map((row) => ({ kind: "event" as const, row, claim: true }));
    await writer.spool.append(some);
    await writer.spool.append(some.slice(0, 2));
    await writer.spool.rotate();
    await writer.spool.append(some.slice(-2));
    await writer.spool.rotate();
    from = to;
  }
  await writer.stop();
  for (const { path } of segments) await copyFile(path, `${path}.copy`);
  for (let time = 0; time < 2; time += 1) {
    const shipping = await startShipping(stores, { directory, clickhouseUrl: proxy.url });
    if (!(await shipping.shipper.drain(25_000))) throw new Error("not shipped");
    await shipping.stop();
    for (const { path } of segments) if (time === 0) await copyFile(`${path}.copy`, path);
  }
}

describe("any failures between collector and ClickHouse", () => {
  it("store each record once, and every view agrees with the raw events", async () => {
    const mishaps: Mishap[] = ["refuse", "cut_request", "cut_answer"];
    proxy.mishap = () => (randomInt(3) === 0 ? (mishaps[randomInt(3)] ?? "none") : "none");
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.nat(100), { maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        async (sessions, cuts, shuffle) => {
          await emptyTables(stores);
          const rows = rowsOf(sessions);
          const order = new Map(rows.map((row) => [row, shuffle.next().value ?? 0]));
          const arrived = rows.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
          await shipBadly(arrived, cuts);
          const stored = await stores.rows("SELECT event_id FROM {db}.events");
          expect(stored.map((row) => String(row["event_id"])).toSorted()).toEqual(
            rows.map((row) => row.event_id).toSorted(),
          );
          const measures =
            "session_id, started_at, ended_at, page_views, clicks, custom_events, events, ended_explicitly";
          expect(await view(measures, "sessions")).toEqual(modelSessions(rows));
          const daily = "day, page, page_views, sessions, visitors";
          expect(await view(daily, "page_views_daily")).toEqual(modelPages(rows));
          const audience = "day, sessions, visitors, page_views";
          expect(await view(audience, "audience_daily")).toEqual(modelAudience(rows));
          const arrivals = "day, channel, sessions, visitors, page_views";
          expect(await view(arrivals, "referrers_daily")).toEqual(modelReferrers(rows));
        },
      ),
      { numRuns: 8 },
    );
    expect(proxy.connections()).toBeGreaterThan(20);
  }, 120_000);
});
