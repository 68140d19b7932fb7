import type { AnalystQueryEvent } from "@pro-talent/schemas/analysts/events";
import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { stateAfter } from "../../kernel/streams.ts";
import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { specification } from "../../kernel/testing/given.ts";
import { analystQueryDecider, textErasedAt } from "./decider.ts";
import { analystQueries, analystQueryEvents } from "./queries.ts";

const id = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";
const ranAt = instantFromMs(Date.UTC(2026, 2, 1, 8));
const facts = {
  analystId: id,
  channel: "console",
  format: "json",
  views: ["sessions"],
  outcome: "shown",
  problem: null,
  rowsRead: 12,
  resultBytes: 90,
  milliseconds: 4,
  textHash: "9f",
} as const;
const run: AnalystQueryEvent = { type: "AnalystQueryRun", data: { ...facts, views: ["sessions"] } };
const records = { type: "RecordQuery", ...run.data } as const;
const erased: AnalystQueryEvent = { type: "QueryTextErased", data: {} };
const given = specification(analystQueryDecider, ranAt);

describe("a query of an analyst", () => {
  it("is recorded once; another one under its id is refused", () => {
    given([]).when(records).then([run]);
    given([run]).when(records).thenRefuses("query_id_used");
  });

  it("whose result is sent as it comes ends once, and one that was complete at once does not", () => {
    const begun = { ...run, data: { ...run.data, outcome: "begun" as const, resultBytes: 0 } };
    const end = {
      outcome: "broken",
      problem: null,
      rowsRead: null,
      resultBytes: 7,
      milliseconds: 9,
    };
    const ended = {
      type: "AnalystQueryEnded",
      data: { ...end, outcome: "broken" as const },
    } as const;
    const ends = { type: "EndQuery", ...ended.data } as const;
    given([begun]).when(ends).then([ended]);
    given([begun, ended]).when(ends).then([]);
    given([run]).when(ends).then([]);
    given([]).when(ends).thenRefuses("query_unknown");
  });

  it("is read by officers, each time as a fact, until its text is erased", () => {
    const read = { type: "ReadText", officerId: id } as const;
    given([run])
      .when(read)
      .then([{ type: "QueryTextRead", data: { officerId: id } }]);
    given([]).when(read).thenRefuses("query_unknown");
    given([run, erased]).when(read).thenRefuses("query_text_erased");
  });

  it("loses its text after 24 months, not before, by a timer", () => {
    const state = (events: readonly AnalystQueryEvent[]) =>
      stateAfter(
        analystQueryDecider,
        events.map((event) => ({ event, stream: "", id, occurredAt: ranAt })),
      );
    const due = textErasedAt(ranAt);
    expect(due).toBe("2028-03-01T08:00:00.000Z");
    const timers = (events: readonly AnalystQueryEvent[]) =>
      analystQueries.timers?.(state(events), { id });
    expect(timers([run])).toEqual([{ name: "analyst-queries.erase-text", dueAt: due }]);
    expect(timers([run, erased])).toMatchObject([{ name: "analyst-queries.destroy-key" }]);
    const erase = (now: typeof due) =>
      analystQueryDecider.decide({ type: "EraseText" }, state([run]), { now });
    expect(erase(instantPlus(due, -1))).toEqual([]);
    expect(erase(due)).toEqual([erased]);
  });
});

it("every event that was ever stored changes a state, or is a reading, or the end of a result that has ended", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, analystQueryEvents, analystQueryDecider)).toEqual([
    "analyst-query-ended.v1.json",
    "query-text-read.v1.json",
  ]);
});
