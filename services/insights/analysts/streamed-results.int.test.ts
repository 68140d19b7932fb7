import { randomUUID } from "node:crypto";

import { Query, QueryProgress } from "@pro-talent/schemas/analysts/calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
} from "../testing/insights-under-test.ts";
import { markOf } from "./policy.ts";

let insights: Insights;
let analyst: Holder;
let other: Holder;
let origin: string;
beforeAll(async () => {
  insights = await openInsightsUnderTest();
  analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  other = insights.holder(0, { roles: ["holder", "analyst"] });
  origin = await insights.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => insights.close());

const base = "/api/console/analyst";
const query = (text: string) => Query.parse({ queryId: randomUUID(), text });
const call = (who: Holder, url: string) =>
  insights.app.inject({
    url: `${base}${url}`,
    headers: { authorization: `Bearer ${who.token}` },
  });

describe("a result that is sent as it comes", () => {
  const send = async (asked: object, signal?: AbortSignal) =>
    await fetch(`${origin}${base}/queries.stream`, {
      method: "POST",
      headers: { authorization: `Bearer ${analyst.token}`, "content-type": "application/json" },
      body: JSON.stringify(asked),
      ...(signal && { signal }),
    });
  const ends = (queryId: string) =>
    expect.poll(() => insights.ledger.ends.find((end) => end.queryId === queryId), {
      timeout: 20_000,
    });

  it("may have a million rows, and is complete only when that is a fact", async () => {
    const asked = query("SELECT number FROM numbers(1000000)");
    const lines = (await (await send(asked)).text()).trim().split("\n");
    expect(lines.filter((line) => line.startsWith('{"row"'))).toHaveLength(1_000_000);
    expect(lines.some((line) => line.startsWith('{"progress"'))).toBe(true);
    await ends(asked.queryId).toMatchObject({ outcome: "shown" });
    // More than connections hold, so that its end is still to come.
    const answer = await send(query("SELECT leftPad('', 100, 'x') AS x FROM numbers(300000)"));
    insights.ledger.answers = false;
    await expect(answer.text()).rejects.toThrow("terminated");
    insights.ledger.answers = true;
  });

  it("is recorded as limited when it has more rows than may be, and breaks off", async () => {
    const asked = query("SELECT number FROM numbers(1100000)");
    await expect(send(asked).then((answer) => answer.text())).rejects.toThrow("terminated");
    await ends(asked.queryId).toMatchObject({ outcome: "limited", problem: "query_limited" });
  });

  it("is recorded as broken off when its reader leaves, and ends in the engine", async () => {
    const asked = query("SELECT leftPad('', 400, 'x') AS x FROM numbers(1000000)");
    const leaving = new AbortController();
    const answer = await send(asked, leaving.signal);
    await answer.body?.getReader().read();
    const path = `/queries/${asked.queryId}/progress`;
    expect((await call(other, path)).json()).toMatchObject({ code: "query_not_running" });
    const seen = QueryProgress.parse((await call(analyst, path)).json());
    expect(seen.resultBytes).toBeGreaterThan(0);
    leaving.abort();
    await ends(asked.queryId).toMatchObject({ outcome: "broken", problem: null });
    expect((await call(analyst, path)).statusCode).toBe(404);
  });

  it("is recorded as broken off when its reader takes nothing, and ends in the engine", async () => {
    const { engineOf } = insights.analysts;
    insights.analysts.engineOf = (id) => ({ ...engineOf(id), stalledSecondsMax: 0.2 });
    const asked = query("SELECT leftPad('', 400, 'x') AS x FROM numbers(1000000)");
    const answer = await send(asked);
    await ends(asked.queryId).toMatchObject({ outcome: "broken", problem: null });
    insights.analysts.engineOf = engineOf;
    await expect(answer.text()).rejects.toThrow("terminated");
    const running = () =>
      insights.clickhouse
        .query({
          query: `SELECT count() AS n FROM system.processes
                   WHERE position(query, {mark:String}) > 0 AND position(query, 'system.processes') = 0`,
          query_params: { mark: markOf(asked.queryId) },
          format: "JSONEachRow",
        })
        .then((result) => result.json());
    await expect.poll(running, { timeout: 20_000 }).toEqual([{ n: 0 }]);
    // The place is free again.
    expect((await send(query("SELECT 1 AS one"))).status).toBe(200);
  });
});
