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
    expect(await running.metric("collector_shipped_drops_total")).toBe(2);
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

describe("what is counted as dropped or marked", () => {
  const drops = () =>
    shipping.stores().rows("SELECT reason, records FROM {db}.drops ORDER BY reason");

  it("is one mark for each stored event of a bot, however often it arrived", async () => {
    const running = await shipping.start();
    const start = eventRecord(
      { kind: "session_start", is_bot: 1, bot_reasons: ["headless"] },
      true,
    );
    const view = eventRecord({ is_bot: 1, bot_reasons: ["headless"] }, true);
    await running.store([start, view, view]);
    await running.store([start, view]);
    expect(await drops()).toEqual([
      { reason: "bot_marked", records: 2 },
      { reason: "duplicate", records: 2 },
    ]);
  });

  it("is no duplicate for a returning visitor, whose start is recorded again with the consent", async () => {
    const running = await shipping.start();
    const start = eventRecord({ kind: "session_start" }, true);
    await running.store([start]);
    await running.store([start]);
    expect(await shipping.stores().count("SELECT count() FROM {db}.events")).toBe(1);
    expect(await drops()).toEqual([]);
  });

  it("is a mark for each event whose time was replaced", async () => {
    const running = await shipping.start();
    await running.store([eventRecord({ time_source: "replaced" }), eventRecord()]);
    expect(await drops()).toEqual([{ reason: "time_out_of_range", records: 1 }]);
  });
});
