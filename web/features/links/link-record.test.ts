import { expect, test } from "vitest";

import { type LinkRecord, summarise } from "./link-record.ts";

const place = { country: "IL", region: "Haifa" };
const record: LinkRecord = {
  label: "A link",
  address: "/l/a",
  sharedAt: "2026-03-01T20:00:00.000Z",
  timeZone: "Asia/Jerusalem",
  zoneName: "Jerusalem",
  days: 3,
  opens: [
    { at: "2026-03-02T09:00:00.000Z", visitor: 1, ...place },
    { at: "2026-03-01T21:30:00.000Z", visitor: 2, ...place },
    { at: "2026-03-01T22:30:00.000Z", visitor: 1, ...place },
  ],
  exclusions: [
    { at: "2026-03-01T20:00:01.000Z", reason: "preview" },
    { at: "2026-03-01T20:00:02.000Z", reason: "preview" },
  ],
};

test("opens, people and machines are counted from the record", () => {
  const summary = summarise(record, 2);
  expect(summary.opens).toBe(3);
  expect(summary.people).toBe(2);
  expect(summary.activeDays).toBe(2);
  expect([...summary.byReason]).toEqual([["preview", 2]]);
});

test("days are those of the owner, so that an open after midnight there is on the next day", () => {
  const { byDay, busiest } = summarise(record, 2);
  expect(byDay.map(({ day, opens, excluded }) => [day, opens.length, excluded])).toEqual([
    ["2026-03-01", 1, 2],
    ["2026-03-02", 2, 0],
    ["2026-03-03", 0, 0],
  ]);
  expect(busiest?.day).toBe("2026-03-02");
});

test("the first open of a visitor is marked, whatever order the record has", () => {
  const { latest } = summarise(record, 3);
  expect(latest.map(({ visitor, first }) => [visitor, first])).toEqual([
    [1, false],
    [1, true],
    [2, true],
  ]);
});
