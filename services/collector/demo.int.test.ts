import { randomUUID } from "node:crypto";
import { join } from "node:path";

import type { DemoLink } from "@pro-talent/platform/runtime/demo";
import { afterAll, beforeAll, expect, it } from "vitest";

import { collectorDemo } from "./demo.ts";
import { createStores, type Stores } from "./ship/testing/shipping-under-test.ts";

let stores: Stores;

beforeAll(async () => {
  stores = await createStores();
});
afterAll(() => stores.drop());

const nowMs = Date.parse("2026-04-15T12:00:00.000Z");
const dayMs = 24 * 60 * 60 * 1000;
const accountId = randomUUID();

const link = (about: Pick<DemoLink, "leadsTo" | "story">, daysAgo: number): DemoLink => ({
  linkId: randomUUID(),
  accountId,
  createdMs: nowMs - daysAgo * dayMs,
  ...about,
});

it("links have a plausible past of people and machines, until their owner is removed", async () => {
  const links = [
    link({ leadsTo: "external", story: "public" }, 170),
    link({ leadsTo: "file", story: "read" }, 100),
    link({ leadsTo: "file", story: "ignored" }, 120),
  ];
  const source = {
    CLICKHOUSE_URL: stores.clickhouse.url,
    CLICKHOUSE_DATABASE: stores.clickhouse.database,
    TEST_CLOCK_FILE: join(import.meta.dirname, "no-clock"),
  };
  await collectorDemo.make(source, { nowMs, password: "", people: [], links });
  const rows = await stores.rows(`
    SELECT link_id, countIf(exclusion = '') AS people, countIf(exclusion != '') AS machines,
      uniqExactIf(country, country != '') AS countries, max(occurred_at) <= '2026-04-15 12:00:00' AS past
    FROM {db}.link_opens GROUP BY link_id`);
  const of = (at: number) => rows.find((row) => row["link_id"] === links[at]?.linkId);
  expect(of(0)).toMatchObject({ countries: 2, past: 1 });
  expect(Number(of(0)?.["people"])).toBeGreaterThan(60);
  expect(Number(of(1)?.["people"])).toBeGreaterThanOrEqual(4);
  expect(of(2)).toMatchObject({ people: 0, machines: 3 });
  expect(await stores.count("SELECT count() FROM {db}.link_reports")).toBeGreaterThan(2);
  await collectorDemo.remove(source, [{ accountId, email: "" }]);
  for (const table of ["link_opens", "link_reports"]) {
    expect(await stores.count(`SELECT count() FROM {db}.${table}`)).toBe(0);
  }
});
