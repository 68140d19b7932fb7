import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { until } from "@pro-talent/platform/testing/until";
import { describe, expect, it } from "vitest";

import { counterRecord, eventRecord } from "../spool/testing/rows.ts";
import { once, pageViews, useShipping } from "./testing/use-shipping.ts";

const shipping = useShipping();

describe("a row that ClickHouse can't read", () => {
  it("is kept in quarantine alone and counted, and everything beside it is stored", async () => {
    const running = await shipping.start();
    const broken = eventRecord();
    broken.row = Object.assign({}, broken.row, { event_id: `${"x".repeat(36)}` });
    await running.store([...pageViews(20), broken, ...pageViews(20), counterRecord()]);
    expect(await shipping.figures()).toEqual(once(40, 1));
    expect(await running.metric("collector_quarantined_rows_total")).toBe(1);
    const [kept = ""] = await readdir(join(shipping.directory(), "quarantine"));
    const lines = await readFile(join(shipping.directory(), "quarantine", kept), "utf8");
    expect(lines).toBe(`${JSON.stringify(broken.row)}\n`);
    expect(await running.files()).toEqual([]);
  });

  it("waits with all others when the table lacks a column, because then the table is behind", async () => {
    const running = await shipping.start();
    const ahead = eventRecord();
    ahead.row = Object.assign({}, ahead.row, { column_of_tomorrow: 1 });
    await running.spool.append([ahead, ...pageViews(3)]);
    await running.spool.rotate();
    await until(
      "refused twice",
      async () => (await running.metric("collector_ship_failures_total")) > 1,
    );
    expect(await running.files()).toHaveLength(1);
    expect(await shipping.figures()).toMatchObject({ events: 0 });
    for (const table of ["events", "events_in"]) {
      await shipping.stores().clickhouse.client.command({
        query: `ALTER TABLE ${shipping.stores().clickhouse.database}.${table} ADD COLUMN column_of_tomorrow UInt8`,
      });
    }
    expect(await running.shipper.drain(20_000)).toBe(true);
    expect(await shipping.figures()).toEqual(once(4, 0));
  });

  it("is not a damaged record: that is counted and its segment kept", async () => {
    const [path = ""] = await shipping.unshipped(pageViews(3));
    const bytes = await readFile(path);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const running = await shipping.start();
    expect(await running.shipper.drain(20_000)).toBe(true);
    expect(await shipping.figures()).toEqual(once(2, 0));
    expect(await running.metric("collector_damaged_records_total")).toBe(1);
    expect(await readdir(join(shipping.directory(), "quarantine"))).toHaveLength(1);
  });
});
