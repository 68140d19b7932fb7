import { afterAll, beforeAll, expect, test, vi } from "vitest";

import type { Demo } from "../../../infra/embedded/demo-world.ts";
import { signInAs } from "../demo-sign-in.ts";
import { type Visitor } from "../fixtures.ts";
import { type OperatedStack, startOwnStack } from "../products.ts";
import { texts } from "../texts.ts";

/** An analyst's queries through the whole product, to the engine and back. */
let stack: OperatedStack;
let demo: Demo;
let analyst: Visitor;
let email: string;
const visits = { search: 23, jobs: 16, direct: 12, email: 8, social: 3 };
/** Visits of yesterday, each by a visitor of its own. */
const visitYesterday = (): Promise<unknown> =>
  Promise.all(
    Object.entries(visits).map(([channel, count]) =>
      stack.ask(`INSERT INTO events_in (event_id, kind, visitor_id, session_id, session_started_at,
          occurred_at, received_at, page, channel)
        SELECT generateUUIDv7(), 'page_view', generateUUIDv4(), generateUUIDv7(),
          toStartOfDay(now('UTC')) - INTERVAL 12 HOUR AS at, at, at, '/', '${channel}'
        FROM numbers(${count})`),
    ),
  );
beforeAll(async () => {
  stack = await startOwnStack();
  demo = await stack.makeDemo();
  await visitYesterday();
  // A code of the authenticator serves once: all journeys here share the session.
  analyst = await stack.visit({ language: "en" });
  ({ email } = await signInAs(analyst.page, demo, "analyst"));
}, 240_000);
afterAll(() => stack.stop());

const slow =
  "SELECT count() FROM numbers(9000000) AS a, numbers(9000000) AS b WHERE a.number + b.number = 1";
const running = () =>
  stack.ask(
    "SELECT count() FROM system.processes WHERE position(query, concat('9000', '000')) > 0",
  );
const becomes = (count: string) =>
  vi.waitFor(async () => expect(await running()).toBe(count), { timeout: 15_000, interval: 50 });

test("a query is answered by the engine with its types, a wrong one is marked, and a long one ends in the engine when it is cancelled", async () => {
  const { analyst: t } = texts.en;
  const { page, noise } = analyst;
  await page.goto("/console/analyst");
  const editor = page.locator(".sql-editor .cm-content");
  const write = async (text: string): Promise<void> => {
    await editor.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Control+Enter");
  };
  await write("SELECT number AS n, toString(number) AS word FROM numbers(20000) ORDER BY n");
  const grid = page.getByRole("grid");
  await grid.getByText("12", { exact: true }).first().waitFor();
  expect(await grid.getAttribute("aria-rowcount")).toBe("20001");
  await grid.focus();
  await page.keyboard.press("Control+End");
  await grid.getByText("19999", { exact: true }).first().waitFor();

  await write("SELECT channels FROM sessions");
  await page.getByText(t.failed.query_wrong).waitFor();
  await page.locator(".sql-editor .cm-lintRange-error").getByText("channels").waitFor();

  await write(slow);
  await becomes("1");
  await page.keyboard.press("Escape");
  await page.getByText(t.run.cancelled).waitFor();
  await becomes("0");

  const download = page.waitForEvent("download");
  await write("SELECT number FROM numbers(10)");
  await page
    .getByRole("button", { name: t.export.as.replace("{{kind}}", "Parquet") })
    .press("Enter");
  expect((await download).suggestedFilename()).toBe("query.parquet");
  expect(noise.filter((line) => !line.includes("Failed to load resource"))).toEqual([]);
});

const byChannel = `SELECT channel, uniqExact(visitor_id) AS visitors
FROM sessions
WHERE day BETWEEN {from:Date} AND {to:Date}
GROUP BY channel
ORDER BY visitors DESC`;

test.each(["en", "he"] as const)(
  "in %s a saved query is a tile of a dashboard that withholds small groups, and is mailed when a delivery is sent now",
  async (language) => {
    const storageState = await analyst.page.context().storageState();
    const t = texts[language]["analyst-work"];
    const { page, noise, leave } = await stack.visit({ language, storageState, fresh: true });
    const press = (name: string): Promise<void> =>
      page.getByRole("button", { name, exact: true }).press("Enter");
    await page.goto("/console/analyst/queries");
    await press(t.queries.new);
    await page.locator(".sql-editor .cm-content").focus();
    await page.keyboard.insertText(byChannel);
    await page.keyboard.press("Control+Enter");
    // Its author sees each group.
    await page.getByRole("grid").getByText("social", { exact: true }).waitFor();
    await press(t.save.first);
    const title = `Visitors by channel, ${language}`;
    await page.getByLabel(t.rename.label).fill(title);
    await page.getByLabel(t.rename.label).press("Enter");
    await page.getByRole("link", { name: new RegExp(title, "u") }).waitFor();

    await page.goto("/console/analyst/dashboards");
    await press(t.dashboards.new);
    await page.getByLabel(t.rename.label).fill(`Dashboard, ${language}`);
    await page.getByLabel(t.rename.label).press("Enter");
    await press(t.dashboard.add);
    await page.getByRole("combobox", { name: t.add.query }).selectOption(title);
    await press(t.add.save);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const tile = page.locator(".tile");
    await tile.getByText(t.tile.withheldRounded).waitFor();
    const rows = await tile.getByRole("row").allInnerTexts();
    expect(rows.slice(1).map((row) => row.split(/\s+/u))).toEqual([
      ["search", "20"],
      ["jobs", "10"],
      ["direct", "10"],
    ]);

    await page.getByRole("link", { name: t.dashboard.plan }).press("Enter");
    await press(t.plan.save);
    const delivery = page.locator(".delivery").filter({ hasText: `Dashboard, ${language}` });
    await delivery.getByRole("button", { name: t.deliveries.send }).press("Enter");
    const sent = new RegExp(t.deliveries.last.sent.replace("{{time}}", ".+"), "u");
    await delivery.getByText(sent).waitFor({ timeout: 60_000 });
    const mails = await stack.mail.to(email);
    const mail = mails.find(({ subject }) => subject.includes(`Dashboard, ${language}`));
    expect(mail?.text).toMatch(/search\D+20/u);
    expect(mail?.text).not.toContain("social");
    expect(noise).toEqual([]);
    await leave();
  },
);
