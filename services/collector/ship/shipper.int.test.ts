import { copyFile, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { until } from "@pro-talent/platform/testing/until";
import { v7 as uuidV7 } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { ClosedSegment } from "../spool/segment.ts";
import { counterRecord, eventRecord } from "../spool/testing/rows.ts";
import {
  createStores,
  removeDirectory,
  type Shipping,
  startShipping,
  type Stores,
} from "./testing/shipping-under-test.ts";

const tables = [
  "events",
  "sessions_agg",
  "page_views_agg",
  "referrers_agg",
  "audience_agg",
  "counters_daily",
];

let stores: Stores;
let directory: string;
let running: Shipping[];

beforeAll(async () => {
  stores = await createStores();
});
afterAll(() => stores.drop());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "shipper-"));
  running = [];
  for (const table of tables) {
    await stores.clickhouse.client.command({
      query: `TRUNCATE TABLE ${stores.clickhouse.database}.${table}`,
    });
  }
});

afterEach(async () => {
  for (const shipping of running) await shipping.stop();
  await removeDirectory(directory);
});

async function start(options: Parameters<typeof startShipping>[1] = {}): Promise<Shipping> {
  const shipping = await startShipping(stores, { directory, ...options });
  running.push(shipping);
  return shipping;
}

/** A directory with segments that were closed and never shipped, as a crash leaves it. */
async function unshipped(records: ReturnType<typeof eventRecord>[]): Promise<string[]> {
  const segments: ClosedSegment[] = [];
  const shipping = await startShipping(stores, {
    directory,
    onSegment: (segment) => segments.push(segment),
  });
  await shipping.spool.append(records);
  await shipping.stop();
  return segments.map((segment) => segment.path);
}

async function figures(): Promise<Record<string, unknown>> {
  const [row = {}] = await stores.rows(`SELECT
    (SELECT count() FROM {db}.events) AS events,
    (SELECT uniqExact(event_id) FROM {db}.events) AS different,
    (SELECT sum(events) FROM {db}.sessions) AS of_sessions,
    (SELECT sum(page_views) FROM {db}.page_views_daily) AS of_pages,
    (SELECT sum(page_views) FROM {db}.referrers_daily) AS of_referrers,
    (SELECT sum(page_views) FROM {db}.audience_daily) AS of_countries,
    (SELECT sum(page_views) FROM {db}.visits_without_consent_daily) AS without_consent`);
  return row;
}

/** What `figures` says when `events` page views and `anonymous` counters are stored once. */
function once(events: number, anonymous: number): Record<string, unknown> {
  return {
    events,
    different: events,
    of_sessions: events,
    of_pages: events,
    of_referrers: events,
    of_countries: events,
    without_consent: anonymous,
  };
}

const pageViews = (count: number, claim = false): ReturnType<typeof eventRecord>[] =>
  Array.from({ length: count }, () => eventRecord({}, claim));

describe("a closed segment", () => {
  it("is stored in every table, with its aggregates, and then removed", async () => {
    const shipping = await start();
    await shipping.store([...pageViews(20), counterRecord({ count: 3 }), counterRecord()]);
    expect(await figures()).toEqual(once(20, 4));
    expect(await shipping.files()).toEqual([]);
    expect(shipping.spool.bytes()).toBe(0);
    expect(shipping.shipper.backlog()).toEqual({ segments: 0, bytes: 0, oldestMs: 0 });
  });

  it("arrives in ClickHouse as the row that was spooled, to the millisecond and the last letter", async () => {
    const record = eventRecord({
      page_title: 'שלום "עולם" \\ \n 🎉',
      occurred_at: "2026-03-01T08:00:00.123Z",
      click_x: -5,
      bot_reasons: ["headless", "no_languages"],
      event_data: '{"a":{"b":[1,2]}}',
    });
    await (await start()).store([record]);
    const [stored] = await stores.rows(
      `SELECT * FROM {db}.events SETTINGS date_time_output_format = 'iso'`,
    );
    expect(stored).toEqual(record.row);
  });

  it("shipped again and again after a crash is stored once", async () => {
    const [path = ""] = await unshipped([...pageViews(30), ...pageViews(5, true), counterRecord()]);
    const copy = join(directory, "copy");
    await copyFile(path, copy);
    for (let time = 0; time < 3; time += 1) {
      await copyFile(copy, path);
      const shipping = await start();
      expect(await shipping.shipper.drain(20_000)).toBe(true);
      await shipping.stop();
    }
    expect(await figures()).toEqual(once(35, 1));
  });

  it("across the turn of a month is stored once in both partitions", async () => {
    const [path = ""] = await unshipped([
      eventRecord({ occurred_at: "2026-02-28T23:59:59.999Z" }),
      eventRecord({ occurred_at: "2026-03-01T00:00:00.000Z" }),
      eventRecord({
        occurred_at: "2026-03-01T00:10:00.000Z",
        session_started_at: "2026-02-28T23:50:00.000Z",
      }),
    ]);
    const copy = join(directory, "copy");
    await copyFile(path, copy);
    for (let time = 0; time < 2; time += 1) {
      await copyFile(copy, path);
      const shipping = await start();
      expect(await shipping.shipper.drain(20_000)).toBe(true);
      await shipping.stop();
    }
    expect(await figures()).toEqual(once(3, 0));
  });

  it.each(tables)(
    "whose part in %s a crash of ClickHouse lost after taking the token is stored again",
    async (table) => {
      const [path = ""] = await unshipped([...pageViews(7), counterRecord()]);
      const copy = join(directory, "copy");
      await copyFile(path, copy);
      const first = await start();
      expect(await first.shipper.drain(20_000)).toBe(true);
      await first.stop();
      // A mutation takes the rows and leaves the token known, like a kill between token and part.
      await stores.clickhouse.client.command({
        query: `ALTER TABLE ${stores.clickhouse.database}.${table} DELETE WHERE 1
                SETTINGS mutations_sync = 2`,
      });
      expect(await figures()).not.toEqual(once(7, 1));
      await copyFile(copy, path);
      const second = await start();
      expect(await second.shipper.drain(20_000)).toBe(true);
      expect(await second.metric("collector_repaired_parts_total")).toBe(1);
      expect(await figures()).toEqual(once(7, 1));
    },
  );
});

describe("an event that the client sends again", () => {
  it("is stored once and counted as a duplicate, within a segment and over segments", async () => {
    const shipping = await start();
    const record = eventRecord({}, true);
    await shipping.store([record, record]);
    await shipping.store([record]);
    expect(await figures()).toEqual(once(1, 0));
    expect(await stores.rows("SELECT reason, records FROM {db}.drops")).toEqual([
      { reason: "duplicate", records: 2 },
    ]);
    expect(await shipping.metric("collector_duplicates_total")).toBe(2);
  });

  it("is stored once when two instances ship it at the same moment", async () => {
    const one = await start();
    const two = await start({ directory: join(directory, "two") });
    const records = pageViews(300, true);
    for (let round = 0; round < 5; round += 1) {
      const some = records.slice(round * 60, round * 60 + 60);
      await Promise.all([one.store(some), two.store(some.toReversed())]);
    }
    expect(await figures()).toEqual(once(300, 0));
    expect(await stores.count("SELECT sum(records) FROM {db}.drops")).toBe(300);
  });

  it("with an id that the collector made is never taken for a duplicate of another segment", async () => {
    const shipping = await start();
    const before = await claims();
    const records = pageViews(3);
    await shipping.store(records);
    expect(await claims()).toBe(before);
    expect(await figures()).toEqual(once(3, 0));
  });
});

async function claims(): Promise<number> {
  const [row] = await stores.sql<{ n: number }[]>`
    select count(*)::int as n from collector.event_claim`;
  return row?.n ?? 0;
}

describe("a row that ClickHouse can't read", () => {
  it("is set aside alone, loudly, and everything beside it is stored", async () => {
    const shipping = await start();
    const broken = eventRecord();
    broken.row = Object.assign({}, broken.row, { event_id: `${"x".repeat(36)}` });
    await shipping.store([...pageViews(20), broken, ...pageViews(20), counterRecord()]);
    expect(await figures()).toEqual(once(40, 1));
    expect(await shipping.metric("collector_quarantined_rows_total")).toBe(1);
    const [kept = ""] = await readdir(join(directory, "quarantine"));
    const lines = await readFile(join(directory, "quarantine", kept), "utf8");
    expect(lines).toBe(`${JSON.stringify(broken.row)}\n`);
    expect(await shipping.files()).toEqual([]);
  });

  it("waits with all others when the table lacks a column, because then the table is behind", async () => {
    const shipping = await start();
    const ahead = eventRecord();
    ahead.row = Object.assign({}, ahead.row, { column_of_tomorrow: 1 });
    await shipping.spool.append([ahead, ...pageViews(3)]);
    await shipping.spool.rotate();
    await until(
      "refused twice",
      async () => (await shipping.metric("collector_ship_failures_total")) > 1,
    );
    expect(await shipping.files()).toHaveLength(1);
    expect(await figures()).toMatchObject({ events: 0 });
    for (const table of ["events", "events_in"]) {
      await stores.clickhouse.client.command({
        query: `ALTER TABLE ${stores.clickhouse.database}.${table} ADD COLUMN column_of_tomorrow UInt8`,
      });
    }
    expect(await shipping.shipper.drain(20_000)).toBe(true);
    expect(await figures()).toEqual(once(4, 0));
  });

  it("is told from damage of the disk: a damaged record is counted and its segment kept", async () => {
    const [path = ""] = await unshipped(pageViews(3));
    const bytes = await readFile(path);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const shipping = await start();
    expect(await shipping.shipper.drain(20_000)).toBe(true);
    expect(await figures()).toEqual(once(2, 0));
    expect(await shipping.metric("collector_damaged_records_total")).toBe(1);
    expect(await readdir(join(directory, "quarantine"))).toHaveLength(1);
  });
});

describe("stopping and waiting", () => {
  it("drains to the deadline only, keeps what is left, and the next process ships it", async () => {
    const cut = await start({ clickhouseUrl: "http://127.0.0.1:9" });
    await cut.spool.append(pageViews(5));
    await cut.spool.rotate();
    expect(await cut.shipper.drain(100)).toBe(false);
    expect(cut.shipper.backlog()).toMatchObject({ segments: 1 });
    await cut.stop();
    expect(await cut.files()).toHaveLength(1);
    const next = await start();
    expect(await next.shipper.drain(20_000)).toBe(true);
    expect(await figures()).toEqual(once(5, 0));
  });

  it("says that it is stuck only after half a minute without success", async () => {
    const cut = await start({ clickhouseUrl: "http://127.0.0.1:9" });
    await cut.spool.append(pageViews(1));
    await cut.spool.rotate();
    await until(
      "a failed attempt",
      async () => (await cut.metric("collector_ship_failures_total")) > 0,
    );
    expect(cut.shipper.healthy()).toBe(true);
  });
});

describe("claims", () => {
  it("are forgotten after their time, in steps, and only by then", async () => {
    const { pruneClaims } = await import("./event-claims.ts");
    const before = await claims();
    const ids = Array.from({ length: 25 }, () => uuidV7());
    await stores.sql`insert into collector.event_claim (event_id, segment, claimed_at)
      select unnest(${ids}::uuid[]), ${uuidV7()}::uuid, now() - interval '49 hours'`;
    expect(await pruneClaims(stores.sql, 48, 10)).toBe(25);
    expect(await claims()).toBe(before);
  });

  it("can't be changed by the collector, only made, read and forgotten", async () => {
    await expect(
      stores.sql`update collector.event_claim set claimed_at = now()`,
    ).rejects.toMatchObject({
      code: "42501",
    });
  });
});
