import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { eventRecord } from "../spool/testing/rows.ts";
import { once, pageViews, useShipping } from "./testing/use-shipping.ts";

const shipping = useShipping();

async function claims(): Promise<number> {
  const [row] = await shipping.stores().sql<{ n: number }[]>`
    select count(*)::int as n from collector.event_claim`;
  return row?.n ?? 0;
}

describe("an event that the client sends again", () => {
  it("is stored once and counted as a duplicate, within a segment and over segments", async () => {
    const running = await shipping.start();
    const record = eventRecord({}, true);
    await running.store([record, record]);
    await running.store([record]);
    expect(await shipping.figures()).toEqual(once(1, 0));
    expect(await shipping.stores().rows("SELECT reason, records FROM {db}.drops")).toEqual([
      { reason: "duplicate", records: 2 },
    ]);
    expect(await running.metric("collector_duplicates_total")).toBe(2);
  });

  it("is stored once when two instances ship it at the same moment", async () => {
    const one = await shipping.start();
    const two = await shipping.start({ directory: join(shipping.directory(), "two") });
    const records = pageViews(300, true);
    for (let round = 0; round < 5; round += 1) {
      const some = records.slice(round * 60, round * 60 + 60);
      await Promise.all([one.store(some), two.store(some.toReversed())]);
    }
    expect(await shipping.figures()).toEqual(once(300, 0));
    expect(await shipping.stores().count("SELECT sum(records) FROM {db}.drops")).toBe(300);
  });

  it("with an id that the collector made is never taken for a duplicate of another segment", async () => {
    const running = await shipping.start();
    const before = await claims();
    const records = pageViews(3);
    await running.store(records);
    expect(await claims()).toBe(before);
    expect(await shipping.figures()).toEqual(once(3, 0));
  });
});
