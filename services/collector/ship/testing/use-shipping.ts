import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

import type { ClosedSegment } from "../../spool/segment.ts";
import { eventRecord } from "../../spool/testing/rows.ts";
import {
  createStores,
  emptyTables,
  removeDirectory,
  type Shipping,
  startShipping,
  type Stores,
} from "./shipping-under-test.ts";

type SpoolRecord = ReturnType<typeof eventRecord>;

/** Stores for the tests of a file, and for each test empty tables and a spool directory. */
export function useShipping() {
  let stores: Stores;
  let directory: string;
  const running: Shipping[] = [];

  beforeAll(async () => {
    stores = await createStores();
  });
  afterAll(() => stores.drop());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "shipper-"));
    await emptyTables(stores);
  });
  afterEach(async () => {
    for (const shipping of running.splice(0)) await shipping.stop();
    await removeDirectory(directory);
  });

  return {
    stores: () => stores,
    directory: () => directory,
    /** A spool whose segments are shipped, until the end of the test. */
    start: async (options: Parameters<typeof startShipping>[1] = {}): Promise<Shipping> => {
      const shipping = await startShipping(stores, { directory, ...options });
      running.push(shipping);
      return shipping;
    },
    /** Segments that were closed and never shipped, as a crash leaves them; returns their paths. */
    unshipped: async (records: SpoolRecord[]): Promise<string[]> => {
      const segments: ClosedSegment[] = [];
      const shipping = await startShipping(stores, {
        directory,
        onSegment: (segment) => segments.push(segment),
      });
      await shipping.spool.append(records);
      await shipping.stop();
      return segments.map((segment) => segment.path);
    },
    /** How much is stored, by the tables and by each view. */
    figures: async (): Promise<Record<string, unknown>> => {
      const [row = {}] = await stores.rows(`SELECT
        (SELECT count() FROM {db}.events) AS events,
        (SELECT uniqExact(event_id) FROM {db}.events) AS different,
        (SELECT sum(events) FROM {db}.sessions) AS of_sessions,
        (SELECT sum(page_views) FROM {db}.page_views_daily) AS of_pages,
        (SELECT sum(page_views) FROM {db}.referrers_daily) AS of_referrers,
        (SELECT sum(page_views) FROM {db}.audience_daily) AS of_countries,
        (SELECT sum(page_views) FROM {db}.visits_without_consent_daily) AS without_consent`);
      return row;
    },
  };
}

/** The figures when `events` page views and `anonymous` counters are stored once. */
export function once(events: number, anonymous: number): Record<string, unknown> {
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

export function pageViews(count: number, claim = false): SpoolRecord[] {
  return Array.from({ length: count }, () => eventRecord({}, claim));
}
