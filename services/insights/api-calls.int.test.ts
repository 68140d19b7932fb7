import { opensApiCalls } from "@pro-talent/schemas/insights/api-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
  openRow,
} from "./testing/insights-under-test.ts";

let insights: Insights;
beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

const Answer = opensApiCalls["GET /api/v1/opens"].answer;
const march = "from=2026-03-01&to=2026-03-31";

/** Asks as a program of this holder. */
const ask = (holder: Holder, query: string, linkId = holder.links[0]) =>
  insights.app.inject({
    url: `/api/v1/opens?linkId=${linkId}&${query}`,
    headers: { authorization: `Bearer pt_${holder.token}` },
  });

describe("opens for programs", () => {
  it("are read page by page, the newest first, without what was left out", async () => {
    const holder = insights.holder();
    const times = ["01", "02", "03"].map((day) => `2026-03-${day}T08:00:00.000Z`);
    const scanned = openRow(holder, "2026-03-04T08:00:00.000Z", { exclusion: "mail-scanner" });
    await insights.store([...times.map((at) => openRow(holder, at)), scanned]);
    const first = Answer.parse((await ask(holder, `${march}&limit=2`)).json());
    expect(first.opens.map(({ at }) => at)).toEqual([times[2], times[1]]);
    const cursor = `${march}&limit=2&cursor=${first.nextCursor}`;
    const second = Answer.parse((await ask(holder, cursor)).json());
    expect(second.opens.map(({ at }) => at)).toEqual([times[0]]);
    expect(second.nextCursor).toBeNull();
  });

  it("of another owner's link are answered like those of a link that was never opened", async () => {
    const [mine, theirs] = [insights.holder(), insights.holder()];
    await insights.store([openRow(theirs, "2026-03-01T08:00:00.000Z")]);
    const answer = await ask(mine, march, theirs.links[0]);
    expect(answer.json()).toEqual({ opens: [], nextCursor: null });
  });

  it.each(["from=2026-03-01", `${march}&cursor=bm9uZQ`, `${march}&limit=51`, "from=x&to=y"])(
    "refuse %s",
    async (query) => {
      expect((await ask(insights.holder(), query)).statusCode).toBe(400);
    },
  );

  it("are not for a sign-in", async () => {
    const holder = insights.holder();
    const url = `/api/v1/opens?linkId=${holder.links[0]}&${march}`;
    expect((await insights.get(holder, url)).statusCode).toBe(401);
  });
});
