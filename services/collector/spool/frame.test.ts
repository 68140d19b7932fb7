import { atOnce } from "@pro-talent/platform/runtime/in-turns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decodeSegment, FrameBuffer, type SegmentContents, segmentHeader } from "./frame.ts";
import { counterRecord, eventRecord } from "./testing/rows.ts";

const decoded = (bytes: Buffer): SegmentContents => atOnce(decodeSegment(bytes));

const texts = ["plain", "שלום עולם", "emoji 🎉 and \u2028", 'quotes " and \\', "line\nfeed", ""];

function framed(records: ReturnType<typeof eventRecord>[]): { bytes: Buffer; ends: number[] } {
  const frames = new FrameBuffer();
  const ends = [segmentHeader.length];
  for (const record of records) {
    frames.append([record]);
    ends.push(segmentHeader.length + frames.length);
  }
  return { bytes: Buffer.concat([segmentHeader, frames.bytes()]), ends };
}

const records = [
  ...texts.map((text, index) => eventRecord({ page_title: text }, index % 2 === 0)),
  counterRecord({ count: 7 }),
  counterRecord({ metric: "drop", page: "", label: "bot_marked" }),
];

describe("the bytes of a segment", () => {
  it("are decoded to exactly the rows that were encoded", () => {
    const { events, counters, damagedRecords, tornBytes } = decoded(framed(records).bytes);
    const lines = [...events.map((event) => event.line), ...counters];
    expect(lines.map((line) => line.toString("utf8"))).toEqual(
      records.map((record) => `${JSON.stringify(record.row)}\n`),
    );
    expect({ damagedRecords, tornBytes }).toEqual({ damagedRecords: 0, tornBytes: 0 });
  });

  it("contain id, claim and days of an event beside its row", () => {
    const record = eventRecord(
      {
        event_id: "01939b2c-5c00-7000-8000-000000000001",
        occurred_at: "2026-03-02T00:00:00.000Z",
        session_started_at: "2026-02-28T23:59:59.999Z",
      },
      true,
    );
    expect(decoded(framed([record]).bytes).events[0]).toMatchObject({
      eventId: "01939b2c-5c00-7000-8000-000000000001",
      claim: true,
      occurredDay: "2026-03-02",
      sessionDay: "2026-02-28",
    });
  });

  it("cut at any byte give exactly the records that are complete", () => {
    const { bytes, ends } = framed(records.slice(3));
    for (let length = 0; length <= bytes.length; length += 1) {
      const contents = decoded(Buffer.from(bytes.subarray(0, length)));
      const complete = Math.max(0, ends.filter((end) => end <= length).length - 1);
      expect(contents.events.length + contents.counters.length).toBe(complete);
      expect(contents.damagedRecords).toBe(0);
      expect(contents.tornBytes).toBe(
        ends.includes(length) ? 0 : length - (ends[complete] ?? 0) * Number(length >= 8),
      );
    }
  });

  it("with a flipped bit never give a changed row, and lose at most what follows a torn length", () => {
    const { bytes } = framed(records);
    const intact = new Set(records.map((record) => `${JSON.stringify(record.row)}\n`));
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const contents = decoded(changed);
        const lines = [...contents.events.map((event) => event.line), ...contents.counters];
        for (const line of lines) expect(intact.has(line.toString("utf8"))).toBe(true);
        expect(lines.length).toBeLessThan(records.length);
        expect(contents.damagedRecords + contents.tornBytes).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("with a flipped bit inside a record lose that record alone", () => {
    const { bytes, ends } = framed(records);
    fc.assert(
      fc.property(fc.nat(records.length - 1), fc.nat(10_000), (index, step) => {
        const start = (ends[index] ?? 0) + 8;
        const position = start + (step % ((ends[index + 1] ?? 0) - start));
        const changed = Buffer.from(bytes);
        changed[position] = (changed[position] ?? 0) ^ 0x10;
        const contents = decoded(changed);
        expect(contents.events.length + contents.counters.length).toBe(records.length - 1);
        expect(contents).toMatchObject({ damagedRecords: 1, tornBytes: 0 });
      }),
    );
  });

  it("read twice give the same, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        const bytes = Buffer.concat([segmentHeader, Buffer.from(noise)]);
        expect(decoded(bytes)).toEqual(decoded(Buffer.from(bytes)));
      }),
    );
  });

  it("do not take a part of a call: one record too long refuses all of them", () => {
    const frames = new FrameBuffer();
    frames.append([counterRecord()]);
    const before = frames.length;
    const endless = eventRecord({ event_data: "x".repeat(2 * 1024 * 1024) });
    expect(() => frames.append([counterRecord(), endless])).toThrow(RangeError);
    expect([frames.length, frames.records]).toEqual([before, 1]);
  });
});
