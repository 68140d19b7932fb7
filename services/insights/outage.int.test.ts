import { expect, it } from "vitest";

import { openInsightsUnderTest } from "./testing/insights-under-test.ts";

it("while ClickHouse does not answer every question is refused, to be asked again", async () => {
  // Nothing listens on the port for tests of TCP services (RFC 863).
  const insights = await openInsightsUnderTest({ clickhouseUrl: "http://127.0.0.1:9" });
  const holder = insights.holder();
  const march = "from=2026-03-01&to=2026-03-31&zone=UTC";
  for (const path of [`links?${march}`, `links/${holder.links[0]}?${march}`, "first-open"]) {
    const answer = await insights.get(holder, `/api/insights/${path}`);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      { code: "upstream_unavailable" },
    ]);
  }
  const table = `/api/insights/links/${holder.links[0]}/opens.csv?${march}`;
  expect((await insights.get(holder, table)).statusCode).toBe(503);
  await insights.close();
});
