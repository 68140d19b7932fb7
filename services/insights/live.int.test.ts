import { once } from "node:events";
import { get, IncomingMessage } from "node:http";

import { until } from "@pro-talent/platform/testing/until";
import { OpenView } from "@pro-talent/schemas/insights/calls";
import { noVisitor } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
  openRow,
  reportOf,
} from "./testing/insights-under-test.ts";

let insights: Insights;
let origin: string;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  origin = await insights.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => insights.close());

/** A connected stream: what has come so far. */
async function listen(holder: Holder) {
  const headers = { authorization: `Bearer ${holder.token}` };
  // A connection of its own: `fetch` replaces those that are aborted.
  const request = get(`${origin}/api/insights/live`, { headers, agent: false });
  const [response] = z
    .tuple([z.instanceof(IncomingMessage)])
    .parse(await once(request, "response"));
  const [events, leftOut]: [OpenView[], OpenView[]] = [[], []];
  response.setEncoding("utf8").on("data", (text: string) => {
    for (const [, event, data = ""] of text.matchAll(/event: (.+)\ndata: (.+)\n\n/g)) {
      (event === "open" ? events : leftOut).push(OpenView.parse(JSON.parse(data)));
    }
  });
  const closed = once(response, "close");
  return {
    status: response.statusCode,
    type: response.headers["content-type"],
    events,
    leftOut,
    closed,
    close: async () => {
      response.destroy();
      await closed;
    },
  };
}

const now = "2026-04-15T12:00:00.000Z";

it("an open is sent to its owner alone, and again when its page is seen; machines are left out", async () => {
  insights.at(now);
  const [holder, other] = [insights.holder(), insights.holder()];
  const before = openRow(holder, "2026-04-15T11:59:00.000Z");
  await insights.store([before]);
  const [stream, foreign] = [await listen(holder), await listen(other)];
  expect(stream.type).toBe("text/event-stream");
  const open = openRow(holder, now, { leads_to: "file" });
  const preview = openRow(holder, now, { exclusion: "preview", visitor_id: noVisitor });
  const stored = performance.now();
  await insights.store([open, preview]);
  await until("the open is sent", () => stream.events.length === 1);
  expect(performance.now() - stored).toBeLessThan(1500);
  await insights.store([], [reportOf(open, { seconds: 3 })]);
  await until("it is sent as seen", () => stream.events.length === 2);
  expect(stream.events.map(({ state }) => state)).toEqual(["fetched", "seen"]);
  expect(stream.events[0]?.openId).toBe(stream.events[1]?.openId);
  await until("the machine is sent", () => stream.leftOut.length === 1);
  expect(stream.leftOut).toMatchObject([{ exclusion: "preview", visitor: null }]);
  expect([...foreign.events, ...foreign.leftOut]).toEqual([]);
  await Promise.all([stream.close(), foreign.close()]);
});

it("an account may have five streams, and no stream without analytics", async () => {
  const holder = insights.holder();
  const streams = [];
  for (let count = 0; count < 5; count += 1) streams.push(await listen(holder));
  const sixth = await listen(holder);
  expect(sixth.status).toBe(429);
  await Promise.all([...streams, sixth].map((stream) => stream.close()));
  await until("the places are free again", async () => {
    const next = await listen(holder);
    await next.close();
    return next.status === 200;
  });
  const free = await listen(insights.holder(1, { plan: "free" }));
  expect(free.status).toBe(403);
  await free.close();
});

it("a stream ends with its sign-in session", async () => {
  const holder = insights.holder();
  const stream = await listen(holder);
  await insights.live.endUnauthorised();
  expect(insights.live.count).toBe(1);
  holder.signedIn = false;
  await insights.live.endUnauthorised();
  await stream.closed;
  expect(insights.live.count).toBe(0);
});
