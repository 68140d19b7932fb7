import { afterAll, beforeAll, expect, test } from "vitest";

import { banner, button, consentTexts, eventually } from "../consent-page.ts";
import { type Stack } from "../fixtures.ts";
import { startStack } from "../products.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const measuring = /\/measure-[^/]+\.js$/;
const row = async (sql: string): Promise<unknown> =>
  JSON.parse((await stack.ask(`${sql} FORMAT JSONCompactEachRow`)) || "null");

/** Of the one visit that asked for the page that does not exist; other journeys share the product. */
const own = "session_id IN (SELECT session_id FROM events WHERE page = '/no-such-page')";

test("under consent a visit is measured: its use, its speed, its links, its languages; before it, nothing is loaded", async () => {
  const visitor = await stack.visit({ fresh: true });
  const { page } = visitor;
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.context().route("https://db-ip.com/**", (route) => route.abort());
  await visitor.open("/privacy");
  // Input ends the search for the largest paint: without a paint before, there is none.
  await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  await page.mouse.wheel(0, 400);
  expect(loaded.filter((url) => measuring.test(url))).toEqual([]);

  const loading = page.waitForResponse((answer) => measuring.test(answer.url()));
  await button(banner(page), consentTexts.en.accept).click();
  await loading;
  const link = page.locator('a[href="https://db-ip.com"]');
  await link.scrollIntoViewIfNeeded();
  await eventually(async () => {
    await link.click({ button: "middle" });
    expect(visitor.of("event").map(({ body }) => body["eventType"])).toContain("outbound_link");
  });
  await page.mouse.wheel(0, 100_000);
  await page.waitForFunction(
    () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
  );
  expect(visitor.noise).toEqual([]);
  await page.goto("/no-such-page");
  await eventually(async () => {
    expect(
      await row("SELECT link, target, page FROM links_daily WHERE target = 'db-ip.com'"),
    ).toEqual(["outbound_link", "db-ip.com", "/privacy"]);
    const use = `SELECT sum(JSONExtractUInt(event_data, 'engagedMs')) > 0,
        max(JSONExtractUInt(event_data, 'scrollDepth'))
      FROM events WHERE event_type = 'page_engagement' AND page = '/privacy' AND ${own}`;
    expect(await row(use)).toEqual([1, 100]);
    const visit = `SELECT engaged_seconds > 0, page_language, browser_language FROM sessions WHERE ${own}`;
    expect(await row(visit)).toEqual([1, "en", "en-US"]);
    expect(
      await row("SELECT page, page_views FROM not_found_daily WHERE page = '/no-such-page'"),
    ).toEqual(["/no-such-page", 1]);
    const vitals = `SELECT groupUniqArray(metric), min(p75) >= 0 FROM web_vitals_daily
      WHERE page = '/privacy' AND metric IN ('FCP', 'TTFB', 'LCP')`;
    const [metrics] = Object(await row(vitals));
    expect(metrics).toHaveLength(3);
  });
  const twice = `SELECT count() FROM (SELECT event_data FROM events WHERE event_type = 'web_vital'
    AND page = '/privacy' GROUP BY JSONExtractString(event_data, 'name'), event_data HAVING count() > 1)`;
  expect(await stack.ask(twice)).toBe("0");
  await visitor.leave();
});
