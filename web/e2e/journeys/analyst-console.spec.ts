import { analystViews } from "@pro-talent/schemas/analysts/views";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { AnalystAnswers, visitAnalyst } from "../analyst-answers.ts";
import {
  AnalystWorkAnswers,
  queryIdOf,
  visitAnalyst as visitWork,
} from "../analyst-work-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** The console of analysts by the keyboard alone; the calls are answered by the journey. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const editorOf = (page: Page) => page.locator(".sql-editor .cm-content");
/** Texts of questions that are asked alone. */
const filled = (text: string) => text.replaceAll("{{min}}", "5");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { "analyst-views": views, "analyst-questions": questions } = texts[language];

  test("views are described, searched and drawn; questions say what they withhold", async () => {
    const { page, visitor } = await visitAnalyst(stack, "/console/analyst/views", language);
    await page.getByRole("img", { name: views.map.text }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    const { summary, columns } = analystViews.audience_daily;
    await page.getByLabel(views.search).fill("country");
    await page.getByRole("heading", { name: "audience_daily" }).waitFor();
    await page.getByText(summary[language]).waitFor();
    await page.getByText(columns.country.meaning[language]).first().waitFor();
    expect(await page.getByRole("heading", { name: "consent_daily" }).count()).toBe(0);
    await page.getByLabel(views.search).fill("zzz");
    await page.getByText(views.none.body).waitFor();

    await page.goto("/console/analyst/questions");
    await page.getByText(filled(questions.othersWhy)).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    for (const [name, shown] of [
      ["funnel", filled(questions.stepsWithheld).replace("{{names}}", questions.steps.join)],
      ["retention", filled(questions.cohortsWithheld)],
    ] as const) {
      await page.getByRole("link", { name: questions.questions[name].title }).press("Enter");
      await page.getByText(shown).waitFor();
    }
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["en"])("in %s", (language) => {
  const { analyst: t, "analyst-result": result } = texts[language];
  const more = language === "he" ? "ArrowLeft" : "ArrowRight";

  test("an analyst writes a query, corrects it, gives its parameter, and reads, sorts, copies, draws and exports its rows", async () => {
    const { page, visitor, analyst } = await visitAnalyst(stack, "/console/analyst", language);
    const editor = editorOf(page);
    await editor.focus();
    await page.keyboard.type("SELEC channel FROM sessions WHERE day >= {from:Date");
    // Escape, then Tab, leaves the editor.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await editor.evaluate((element) => element.matches(":focus"))).toBe(false);

    const wrong = { pointer: "/text/1:1", message: "Syntax error at SELEC" };
    analyst.instead.set("queries.stream", {
      status: 422,
      json: { code: "query_wrong", errors: [wrong] },
    });
    await page.getByLabel("from").fill("2026-03-01");
    await editor.focus();
    await page.keyboard.press("Control+Enter");
    await page.getByText(wrong.message).waitFor();
    await page.locator(".sql-editor .cm-lintRange-error").getByText("SELEC").waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await button(page, t.failed.goTo).press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    for (const _ of "SELEC") await page.keyboard.press("ArrowRight");
    await page.keyboard.type("T");
    // A word that is drawn bold is typed over.
    await page.keyboard.press("Home");
    for (const _ of "SELECT") await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.type("SELECT");
    analyst.instead.delete("queries.stream");
    await page.keyboard.press("Control+Enter");

    const grid = page.getByRole("grid", { name: t.result.caption });
    await grid.getByText("<b>social</b>").waitFor();
    expect(analyst.asked.at(-1)).toEqual([
      "POST /api/console/analyst/queries.stream",
      {
        queryId: expect.any(String),
        text: "SELECT channel FROM sessions WHERE day >= {from:Date}",
        parameters: { from: "2026-03-01" },
      },
    ]);
    expect(await grid.getAttribute("aria-rowcount")).toBe("4");
    await grid.focus();
    for (const key of ["ArrowUp", more, more, "Enter"]) await page.keyboard.press(key);
    await page
      .getByText(result.sorted.ascending.replace("{{name}}", "visitors"))
      .waitFor({ state: "attached" });
    await grid.locator("[aria-rowindex='2']").getByText("direct").waitFor();
    for (const key of ["ArrowDown", "Home", `Shift+${more}`, "Control+c"])
      await page.keyboard.press(key);
    await page.getByText(result.copy.done_one.replace("{{count}}", "1")).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("direct\t2026-03-02");

    // What was typed last is asked for, also from the field of a parameter itself.
    await page.getByLabel("from").fill("2026-03-02");
    await page.getByLabel("from").press("Control+Enter");
    await expect
      .poll(() => analyst.asked.at(-1)?.[1])
      .toMatchObject({ parameters: { from: "2026-03-02" } });
    await page.getByRole("radio", { name: t.result.kinds.bar }).check();
    await page.getByRole("slider", { name: t.result.chartOf }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await button(page, t.export.as.replace("{{kind}}", "CSV")).press("Enter");
    expect((await download).suggestedFilename()).toBe("query.csv");

    analyst.instead.set("queries.stream", "awaited");
    await editor.focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("progressbar", { name: t.run.running }).waitFor();
    await expect.poll(() => analyst.asked.at(-1)?.[0]).toContain("queries.stream");
    analyst.instead.delete("queries.stream");
    await page.keyboard.press("Escape");
    await page.getByText(t.run.cancelled).waitFor();
    // Refused answers are reported by the browser itself.
    expect(visitor.noise.filter((noise) => !noise.includes("Failed to load resource"))).toEqual([]);
    await page.reload();
    await editor.getByText("SELECT channel").waitFor();
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { analyst: t, account } = texts[language];

  test("a saved query is opened in the console, drawn as its chart, and saved as its next version or under another name", async () => {
    const w = texts[language]["analyst-work"];
    const work = new AnalystWorkAnswers();
    const path = `/console/analyst/queries/${queryIdOf(1)}`;
    const { page, visitor } = await visitWork(stack, path, language, { answers: work });
    const shown = (title: string, version: number) =>
      page
        .getByRole("link", {
          name: t.saved
            .replace("{{title}}", `\u2068${title}\u2069`)
            .replace("{{version}}", `${version}`),
        })
        .waitFor();
    await button(page, w.query.inConsole).press("Enter");
    await shown("Visitors by channel", 1);
    expect(await button(page, w.save.action).isDisabled()).toBe(true);
    await button(page, t.run.run).press("Enter");
    await page.getByRole("slider", { name: t.result.chartOf }).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);

    await editorOf(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\nLIMIT 7");
    await button(page, w.save.action).press("Enter");
    await shown("Visitors by channel", 2);
    const contents = work.kept.get(queryIdOf(1))?.contents ?? [];
    expect(contents[1]).toEqual({
      ...contents[0],
      text: expect.stringMatching(/DESC\nLIMIT 7$/u),
    });
    await page.reload();
    await shown("Visitors by channel", 2);
    expect(await button(page, w.save.action).isDisabled()).toBe(true);
    await button(page, w.save.as).press("Enter");
    await page.getByLabel(w.rename.label).fill("Seven channels");
    await page.getByLabel(w.rename.label).press("Enter");
    await shown("Seven channels", 1);
    expect(await faultsAtWidths(page)).toEqual([]);
    await page.goto("/console/analyst/queries");
    await page.getByRole("link", { name: "Seven channels" }).waitFor();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("the console is awaited, fails, is refused, and begins with an invitation", async () => {
    const answers = new AnalystAnswers();
    answers.instead.set("views", "awaited");
    const { page, visitor } = await visitAnalyst(stack, "/console/analyst", language, answers);
    await page.getByText(t.loading).waitFor({ state: "attached" });
    for (const [status, shown] of [
      [400, account.view.failedBody],
      [403, account.view.denied],
    ] as const) {
      answers.instead.set("views", { status, json: { code: "x" } });
      await page.reload();
      await page.getByText(shown).first().waitFor();
    }
    answers.instead.clear();
    answers.rows = [];
    await page.reload();
    await button(page, t.first.countries).press("Enter");
    await editorOf(page).getByText("country").first().waitFor();
    await button(page, t.run.run).press("Enter");
    await page.getByText(t.none.title).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });
});

test("an account without the role finds none of the pages", async () => {
  const { page, visitor } = await visitAccount(stack, "/dashboard", { language: "en" });
  for (const path of ["", "/views", "/questions"]) {
    await page.goto(`/console/analyst${path}`);
    await page
      .getByRole("heading", { level: 1, name: texts.en.account.notAllowed.title })
      .waitFor();
    expect(await page.locator(".analyst-pages").count()).toBe(0);
  }
  await visitor.leave();
});
