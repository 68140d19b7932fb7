import { readFile } from "node:fs/promises";

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { applicationIdOf, stageIdOf, visitApplications } from "../application-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { accessibilityFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** The tracker is kept without a pointer. */
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
const handle = (id: string): string => `#handle-${id}`;
const namesIn = (page: Page, stage: number) =>
  page.locator(`[data-stage="${stageIdOf(stage)}"] .slip__company`).allInnerTexts();

test.each(["en", "he"] as const)(
  "in %s a card is carried to the next stage in the direction of the page, announced, undone, and kept by Escape",
  async (language) => {
    const { applications: t } = texts[language];
    const { page, visitor, answers } = await visitApplications(stack, "/applications", language);
    const [forward, back] =
      language === "en" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const acme = page.locator(handle(applicationIdOf(0)));
    await acme.focus();
    await page.keyboard.press("Space");
    const said = page.locator("main output").filter({ hasText: isolated("Acme") });
    await said.first().waitFor({ state: "attached" });
    await page.keyboard.press(forward);
    await page.keyboard.press(back);
    await page.keyboard.press("Escape");
    await expect
      .poll(() =>
        page
          .getByText(
            filled(t.board.kept, { name: isolated("Acme"), stage: isolated(t.kinds.applied) }),
          )
          .count(),
      )
      .toBe(1);
    expect(answers.calls).not.toContain("POST /api/applications/moves");

    await page.keyboard.press("Space");
    await page.keyboard.press(forward);
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await expect.poll(() => namesIn(page, 2)).toEqual(["Acme", "בנק ירושלים"]);
    const dropped = {
      name: isolated("Acme"),
      stage: isolated("Technical interview"),
      place: 1,
      all: 2,
    };
    await expect.poll(() => page.getByText(filled(t.board.dropped, dropped)).count()).toBe(1);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe(`handle-${applicationIdOf(0)}`);
    await button(page, t.undo).press("Enter");
    await expect.poll(() => namesIn(page, 1)).toEqual(["Acme", "Globex"]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
);

test.each<Language>(["he"])(
  "in %s arrow keys lead from card to card, a move that is refused is taken back, and the menu moves, too",
  async (language) => {
    const { applications: t } = texts[language];
    const { page, visitor, answers } = await visitApplications(stack, "/applications", language);
    const refused = { status: 404, json: { code: "stage_not_found", error: "No." } };
    const active = () => page.evaluate(() => document.activeElement?.id);
    // The page gives its title the focus once it is shown, which may be after this.
    await expect
      .poll(async () => {
        await page.locator(`#title-${applicationIdOf(0)}`).focus();
        await page.keyboard.press("ArrowDown");
        return await active();
      })
      .toBe(`title-${applicationIdOf(1)}`);
    answers.instead.set("POST /api/applications/moves", refused);
    const menu = button(page, filled(t.card.menu, { name: isolated("Globex") }));
    const target = page.getByRole("menuitem", { name: t.kinds.offered, exact: true });
    await menu.press("Enter");
    await target.press("Enter");
    await page.getByText(t.failed).waitFor();
    await expect.poll(() => namesIn(page, 1)).toEqual(["Acme", "Globex"]);
    answers.instead.clear();
    await menu.press("Enter");
    await target.press("Enter");
    await expect.poll(() => namesIn(page, 3)).toEqual(["Globex"]);
    await expect.poll(active).toBe(`title-${applicationIdOf(1)}`);
    expect(visitor.noise.filter((noise) => !noise.includes("Failed to load"))).toEqual([]);
    await visitor.leave();
  },
);

test.each<Language>(["en"])(
  "in %s an application is added from an address, rows are archived together, a file is reviewed and imported, and all is exported",
  async (language) => {
    const { applications: t } = texts[language];
    const { page, visitor, answers } = await visitApplications(
      stack,
      "/applications?view=table",
      language,
    );
    await button(page, t.add.action).press("Enter");
    await page.locator("[name=jobUrl]").fill("https://jobs.example.com/7");
    await button(page, t.add.readAddress).press("Enter");
    const company = page.locator("[name=company]");
    await expect.poll(() => company.inputValue()).toBe("Umbrella");
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, t.add.submit).press("Enter");
    await page.getByRole("link", { name: "Umbrella", exact: true }).waitFor();

    for (const name of ["Acme", "Umbrella"])
      await page
        .getByRole("checkbox", { name: filled(t.bulk.row, { name: isolated(name) }) })
        .press("Space");
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, t.archive.action).press("Enter");
    await expect.poll(() => page.locator(".data-table tbody tr").count()).toBe(3);
    await button(page, t.undo).last().press("Enter");
    await expect.poll(() => page.locator(".data-table tbody tr").count()).toBe(5);

    const more = page.getByRole("button", { name: t.more, exact: true });
    await more.press("Enter");
    await page.getByRole("menuitem", { name: t.import.title, exact: true }).press("Enter");
    const buffer = Buffer.from("company,role\nHooli,Nurse\n");
    await page
      .locator("dialog [name=file]")
      .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
    await button(page, t.import.read).press("Enter");
    await page.getByText(t.import.known).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button(page, filled(t.import.add_one, { count: 1 })).press("Enter");
    await page.getByRole("link", { name: "Hooli", exact: true }).waitFor();
    expect(answers.tracker.applications).toHaveLength(6);

    const saving = page.waitForEvent("download");
    await more.press("Enter");
    await page.getByRole("menuitem", { name: t.export.csv, exact: true }).press("Enter");
    expect(await readFile(await (await saving).path(), "utf8")).toContain("Acme");
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);

test.each<Language>(["he"])(
  "in %s a note and a reminder are written, and opens of the links stand in the same list",
  async (language) => {
    const { application: t } = texts[language];
    const path = `/applications/${applicationIdOf(0)}`;
    const { page, visitor, answers } = await visitApplications(stack, path, language);
    await page.getByLabel(t.notes.new, { exact: true }).fill("Talked to Dana");
    await button(page, t.notes.add).press("Enter");
    await page.locator(".timeline__note").waitFor();
    await page.locator("[data-kind=open]").first().waitFor();
    await button(page, t.reminders.add).press("Enter");
    await page.getByLabel(t.reminders.text, { exact: true }).fill("Call again");
    await button(page, t.reminders.plan).press("Enter");
    await page.locator(".reminder").getByText("Call again").first().waitFor();
    expect(answers.reminders.some(({ text }) => text === "Call again")).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
);
