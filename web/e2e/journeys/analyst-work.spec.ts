import { QueryContent } from "@pro-talent/schemas/analysts/saved-work";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { faultsAtWidths } from "../account-visitor.ts";
import {
  analystIds,
  AnalystWorkAnswers,
  dashboardIdOf,
  queryIdOf,
  tileIdOf,
  visitAnalyst,
} from "../analyst-work-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { accessibilityFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** Analysts keep and share their work without a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const isolated = (name: string): string => `\u2068${name}\u2069`;
const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name]));
const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true });

const editorOf = (page: Page): Locator => page.locator(".sql-editor .cm-content");
/** Writes a query in place of the one that is there. */
async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  for (const key of ["Control+a", "Delete"]) await page.keyboard.press(key);
  await page.keyboard.insertText(text);
  // Escape closes the completions, which would take the next key.
  await page.keyboard.press("Escape");
}

const work = "/api/console/analyst/work";
const mine = "SELECT day, uniqExact(visitor_id) AS visitors\nFROM sessions\nGROUP BY day";
const theirs = QueryContent.parse({
  kind: "query",
  text: "SELECT 1 AS visitors",
  chart: { kind: "figure", x: null, y: ["visitors"] },
});

test.each<Language>(["en"])(
  "in %s a query is written, run and saved, a version meanwhile is no loss, and another analyst opens it when it is shared",
  async (language) => {
    const { analyst, "analyst-work": t } = texts[language];
    const answers = new AnalystWorkAnswers({ empty: true });
    const { page, visitor } = await visitAnalyst(stack, "/console/analyst/queries", language, {
      answers,
    });
    await button(page, t.queries.new).press("Enter");
    await write(page, mine);
    await button(page, analyst.run.run).press("Enter");
    await page.getByRole("radio", { name: analyst.result.kinds.bar }).press("Space");
    await page.getByRole("slider").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await button(page, t.save.first).press("Enter");
    await page.getByLabel(t.rename.label).fill("Readers by channel");
    await page.getByLabel(t.rename.label).press("Enter");
    await page.getByRole("link", { name: /Readers by channel/u }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Readers by channel" }).waitFor();
    const [workId = ""] = [...answers.kept.keys()];
    expect(new URL(page.url()).pathname).toBe(`/console/analyst/queries/${workId}`);

    await button(page, t.query.open).press("Enter");
    await write(page, `${mine}\nORDER BY day`);
    await button(page, t.save.action).press("Enter");
    await page.getByText(filled(t.save.done, { version: 2 })).waitFor();

    await button(page, t.query.open).press("Enter");
    await write(page, `${mine}\nLIMIT 7`);
    await button(page, analyst.run.run).press("Enter");
    await page.getByRole("slider").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    answers.saveElsewhere(workId, theirs);
    await button(page, t.save.action).press("Enter");
    await page.getByRole("heading", { name: filled(t.conflict.title, { version: 3 }) }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const lines = page.locator(".conflict .difference__line");
    expect(await lines.filter({ hasText: "LIMIT 7" }).count()).toBe(1);
    expect(await lines.filter({ hasText: theirs.text }).count()).toBe(1);
    await button(page, filled(t.conflict.mine, { version: 4 })).press("Enter");
    await page.getByText(filled(t.save.done, { version: 4 })).waitFor();
    expect(answers.kept.get(workId)?.contents.map(({ kind }) => kind)).toHaveLength(4);

    await button(page, filled(t.versions.compareOf, { version: 3 })).press("Enter");
    await page.locator(".versions .difference__line").first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    await button(page, t.sharing.action).press("Enter");
    await page.getByRole("checkbox", { name: t.sharing.roles.analyst }).press("Space");
    await button(page, t.sharing.save).press("Enter");
    await page.getByText(filled(t.sharing.done, { sharing: t.sharing.analyst })).waitFor();
    const other = await visitAnalyst(stack, `/console/analyst/queries/${workId}`, language, {
      answers,
      accountId: analystIds[1],
    });
    await other.page.getByText(t.query.readOnly).waitFor();
    expect(await button(other.page, t.rename.action).count()).toBe(0);
    await button(other.page, t.query.openCopy).press("Enter");
    await editorOf(other.page).getByText("LIMIT 7").waitFor();
    expect(
      [visitor.noise, other.visitor.noise].flat().filter((one) => !one.includes("409")),
    ).toEqual([]);
    await other.visitor.leave();
    await visitor.leave();
  },
);

const tileTitles = (page: Page) => page.locator(".tile__title").allInnerTexts();

test.each<Language>(["he"])(
  "in %s a dashboard shows each tile apart for days in the address, is arranged by keys and announced, and is delivered",
  async (language) => {
    const { "analyst-questions": questions, "analyst-work": t } = texts[language];
    const path = `/console/analyst/dashboards/${dashboardIdOf(1)}`;
    const answers = new AnalystWorkAnswers();
    const tilePath = `/api/console/analyst/dashboards/${dashboardIdOf(1)}/tiles/${tileIdOf(2)}`;
    answers.instead.set(`POST ${tilePath}`, { status: 422, json: { code: "query_not_withheld" } });
    const { page, visitor } = await visitAnalyst(stack, path, language, { answers });
    await page.getByText(filled(questions.othersWhy, { min: 10 })).waitFor();
    await page.getByText(t.errors.query_not_withheld).first().waitFor();
    await expect.poll(() => page.getByRole("slider").count()).toBe(1);
    answers.instead.clear();

    await page
      .getByRole("radio", { name: filled(t.dashboard.last_other, { count: 7 }) })
      .press("Space");
    await page.waitForURL("**?last=7");
    await page.getByRole("slider").nth(1).waitFor();
    await page.getByText(questions.steps.pricing).first().waitFor({ state: "attached" });
    const week = answers.bodies.at(-1);
    expect(week).toMatchObject({ from: expect.any(String), to: expect.any(String) });
    expect(await faultsAtWidths(page)).toEqual([]);

    await button(page, t.dashboard.arrange).press("Enter");
    const handle = page.locator(`#tile-handle-${tileIdOf(1)}`);
    const forward = language === "en" ? "ArrowRight" : "ArrowLeft";
    const said = (text: string) => page.locator("main output").filter({ hasText: text });
    const title = isolated("Visitors by channel");
    await handle.press("Space");
    await said(filled(t.tile.picked, { title, place: 1, all: 3 })).waitFor({ state: "attached" });
    await page.keyboard.press(forward);
    await page.keyboard.press("Escape");
    await said(filled(t.tile.kept, { title, place: 1, all: 3 })).waitFor({ state: "attached" });
    await handle.press("Space");
    await page.keyboard.press("End");
    await page.keyboard.press("Space");
    await said(filled(t.tile.dropped, { title, place: 3, all: 3 })).waitFor({ state: "attached" });
    expect((await tileTitles(page)).at(-1)).toBe("Visitors by channel");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe(`tile-handle-${tileIdOf(1)}`);
    await page.getByLabel(filled(t.tile.width, { title }), { exact: true }).selectOption("3");
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, t.dashboard.save).press("Enter");
    await page.getByText(filled(t.save.done, { version: 2 })).waitFor();
    await button(page, t.dashboard.done).press("Enter");

    await button(page, t.dashboard.add).press("Enter");
    await page.getByRole("radio", { name: t.add.question }).press("Space");
    await page.getByRole("combobox", { name: t.add.question }).selectOption("retention");
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, t.add.save).press("Enter");
    await expect.poll(async () => (await tileTitles(page)).at(-1)).toBe(t.questions.retention);
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.getByRole("link", { name: t.dashboard.plan }).press("Enter");
    await page.getByLabel(t.plan.weekday).selectOption("4");
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, t.plan.save).press("Enter");
    const delivery = page.locator(".delivery");
    await delivery.getByText("Weekly reading").waitFor();
    expect(answers.deliveries.all[0]).toMatchObject({
      of: { kind: "dashboard", workId: dashboardIdOf(1) },
      schedule: { every: "week", weekday: 4, time: "08:00", zone: "Asia/Jerusalem" },
    });
    const sendNow = delivery.getByRole("button", {
      name: filled(t.deliveries.sendOf, { title: isolated("Weekly reading") }),
    });
    await sendNow.press("Enter");
    await delivery
      .getByRole("status")
      .filter({ hasText: new RegExp(filled(t.deliveries.last.sent, { time: ".+" }), "u") })
      .waitFor();
    await sendNow.press("Enter");
    await page.getByText(t.errors.delivery_sent_lately).waitFor();
    await delivery.getByRole("button", { name: t.deliveries.pause }).press("Enter");
    await page.getByText(t.deliveries.paused["by-owner"]).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise.filter((one) => !/4(?:22|09)/u.test(one))).toEqual([]);
    await visitor.leave();
  },
);

const refused = { status: 400, json: { code: "x", error: "No." } };
const denied = { status: 403, json: { code: "forbidden", error: "No." } };
const nothing = { status: 200, json: { saved: [], deliveries: [], queries: [], next: null } };

test.each(["en", "he"] as const)(
  "in %s half of the lists are shown while they load, empty, failed and refused, and one without a match",
  async (language) => {
    const t = texts[language]["analyst-work"];
    const { view } = texts[language].account;
    const { page, visitor, answers } = await visitAnalyst(
      stack,
      "/console/analyst/history",
      language,
    );
    await button(page, t.history.more).press("Enter");
    await page.getByText(t.history.erased).waitFor();
    await page
      .getByRole("button", { name: t.history.openOf.replace("{{time}}", "") })
      .first()
      .press("Enter");
    await editorOf(page).getByText("FROM sessions").waitFor();
    expect(await page.getByLabel("from").inputValue()).toBe("2026-11-01");
    const lists = [
      ["queries", `${work}/saved`, t.queries.empty],
      ["dashboards", `${work}/saved`, t.dashboards.empty],
      ["deliveries", `${work}/deliveries`, t.deliveries.empty],
      ["history", `${work}/history`, t.history.empty],
    ] as const;
    const found: Record<string, string[]> = {};
    // The lists differ only in their texts.
    const looked = lists.filter((_, index) => index % 2 === (language === "en" ? 0 : 1));
    for (const [list, call, empty] of looked)
      for (const [answer, shown] of [
        ["awaited", t.loading],
        [nothing, empty],
        [refused, view.failedBody],
        [denied, view.denied],
      ] as const) {
        answers.instead.set(`GET ${call}`, answer);
        await page.goto(`/console/analyst/${list}`);
        await page.getByText(shown).first().waitFor({ state: "attached" });
        const faults = await accessibilityFaults(page);
        if (faults.length > 0) found[`${list} ${shown}`] = faults;
      }
    answers.instead.clear();
    await page.goto("/console/analyst/queries?q=nothing-of-that-name");
    await page.getByText(t.list.noMatchBody).waitFor();
    await page.goto(`/console/analyst/queries/${queryIdOf(8)}`);
    await page.getByText(t.query.unknownBody).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // What is kept is worked on in the other language above.
    const [kept, title] =
      language === "en"
        ? ([`dashboards/${dashboardIdOf(1)}`, "Weekly reading"] as const)
        : ([`queries/${queryIdOf(1)}`, "Visitors by channel"] as const);
    await page.goto(`/console/analyst/${kept}`);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.locator(".work-acts, .tile").first().waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(found).toEqual({});
    await visitor.leave();
  },
);

test("an administrator reads what is shared and runs nothing; an account without the roles finds no page", async () => {
  const answers = new AnalystWorkAnswers();
  const shared = answers.kept.get(queryIdOf(1));
  if (shared !== undefined) shared.saved.sharedWith = ["analyst", "administrator"];
  const t = texts.en["analyst-work"];
  const administrator = await visitAnalyst(stack, "/console/analyst/queries", "en", {
    answers,
    accountId: analystIds[1],
    roles: ["holder", "administrator"],
  });
  await administrator.page.getByRole("link", { name: "Visitors by channel" }).press("Enter");
  await administrator.page.getByText(t.query.readOnly).waitFor();
  expect(await button(administrator.page, t.query.openCopy).count()).toBe(0);
  const title = texts.en.account.notAllowed.title;
  await administrator.page.goto("/console/analyst/deliveries");
  await administrator.page.getByRole("heading", { level: 1, name: title }).waitFor();
  await administrator.visitor.leave();
  const holder = await visitAnalyst(stack, "/console/analyst/queries", "en", {
    answers,
    roles: ["holder"],
  });
  for (const page of ["queries", "dashboards", "deliveries", "history"]) {
    await holder.page.goto(`/console/analyst/${page}`);
    await holder.page.getByRole("heading", { level: 1, name: title }).waitFor();
  }
  await holder.visitor.leave();
});
