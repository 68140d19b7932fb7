import { describe, expect, it } from "vitest";

import type { SpoolRecord } from "../spool/frame.ts";
import { createAnonymousCounters, createDropCounters } from "./counters.ts";

const noon = Date.parse("2026-03-01T12:00:00.000Z");
const dayMs = 86_400_000;

/** The `append` of a spool in memory, which refuses on request. */
function countersInMemory() {
  const rows: SpoolRecord["row"][] = [];
  const state = { refusing: false, now: noon, repeats: 0 };
  const append = async (records: readonly SpoolRecord[]): Promise<void> => {
    if (state.refusing) throw new Error("full");
    rows.push(...records.map((record) => record.row));
  };
  const counters = createAnonymousCounters({
    append,
    clock: () => state.now,
    onRepeat: () => (state.repeats += 1),
    pagesPerDayMax: 3,
  });
  const drops = createDropCounters({ append, clock: () => state.now });
  return { rows, state, counters, drops };
}

const visit = { metric: "page_view", page: "/about", reason: "no_consent" } as const;

describe("a visit without consent", () => {
  it("raises one number of its day and page, without any id", async () => {
    const { rows, counters } = countersInMemory();
    const eventId = "019cfb00-0000-7000-8000-000000000001";
    await counters.visit({ ...visit, eventId });
    expect(rows).toEqual([
      {
        day: "2026-03-01",
        metric: "page_view",
        page: "/about",
        label: "no_consent",
        detail: "",
        count: 1,
      },
    ]);
  });

  it("is counted once although it is reported three times", async () => {
    const { rows, state, counters } = countersInMemory();
    const eventId = "019cfb00-0000-7000-8000-000000000001";
    await Promise.all([1, 2, 3].map(() => counters.visit({ ...visit, eventId })));
    await counters.visit({ ...visit, eventId: eventId.toUpperCase() });
    expect(rows).toHaveLength(1);
    expect(state.repeats).toBe(3);
  });

  it("is counted by the retry when the first report could not be", async () => {
    const { rows, state, counters } = countersInMemory();
    const eventId = "019cfb00-0000-7000-8000-000000000001";
    state.refusing = true;
    await expect(counters.visit({ ...visit, eventId })).rejects.toThrow("full");
    state.refusing = false;
    await counters.visit({ ...visit, eventId });
    expect(rows).toHaveLength(1);
  });

  it("is counted on one common page once too many different ones were seen that day", async () => {
    const { rows, state, counters } = countersInMemory();
    const pages = ["/a", "/b", "/c", "/d", "/a", "/e"];
    for (const page of pages) await counters.visit({ ...visit, page });
    state.now += dayMs;
    await counters.visit({ ...visit, page: "/d" });
    expect(rows.map((row) => ("page" in row ? row.page : ""))).toEqual([
      "/a",
      "/b",
      "/c",
      ":other",
      "/a",
      ":other",
      "/d",
    ]);
  });
});

describe("refused records", () => {
  it("are written as sums by day and reason", async () => {
    const { rows, state, drops } = countersInMemory();
    drops.add("invalid_body");
    drops.add("invalid_body");
    drops.add("rate_limited");
    state.now += dayMs;
    drops.add("invalid_body");
    await drops.flush();
    await drops.flush();
    const drop = { metric: "drop", page: "", detail: "" };
    expect(rows).toEqual([
      { ...drop, day: "2026-03-01", label: "invalid_body", count: 2 },
      { ...drop, day: "2026-03-01", label: "rate_limited", count: 1 },
      { ...drop, day: "2026-03-02", label: "invalid_body", count: 1 },
    ]);
  });

  it("are kept for the next time when the spool does not take them", async () => {
    const { rows, state, drops } = countersInMemory();
    drops.add("spool_full");
    state.refusing = true;
    await expect(drops.flush()).rejects.toThrow("full");
    drops.add("spool_full");
    state.refusing = false;
    await drops.flush();
    expect(rows).toMatchObject([{ label: "spool_full", count: 2 }]);
  });
});
