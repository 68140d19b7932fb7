import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Language } from "../fixtures.ts";
import { accessibilityFaults, faultFinder } from "../page-faults.ts";
import { type OperatedStack, startStack } from "../products.ts";
import { texts } from "../texts.ts";

/** An application from its first line to its export, through the whole product. */
let stack: OperatedStack;
let password: string;

beforeAll(async () => {
  stack = await startStack();
  ({ password } = await stack.makeDemo());
}, 240_000);
afterAll(() => stack.stop());

const isolated = (name: string): string => `\u2068${name}\u2069`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function signIn(page: Page, language: Language): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent("/applications")}`);
  await page.locator("[name=email]").fill("premium@demo.example");
  await page.locator("[name=password]").fill(password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL("**/applications");
  await page.locator("main h1").waitFor();
}

/** Adds an application by hand, and waits until it is on the board. */
async function add(page: Page, language: Language, company: string): Promise<void> {
  const { applications: t } = texts[language];
  await button(page, t.add.action).first().press("Enter");
  await page.locator("dialog [name=company]").fill(company);
  await page.locator("dialog [name=role]").fill("Nurse");
  await button(page, t.add.submit).press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.getByLabel(t.filters.text, { exact: true }).fill(company);
  await page.getByRole("link", { name: company, exact: true }).waitFor();
}

/** Carries the only card that is shown to the next stage. */
async function carry(page: Page, language: Language): Promise<void> {
  const handle = page.locator(".slip__handle");
  await expect.poll(() => handle.count()).toBe(1);
  await handle.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press(language === "en" ? "ArrowRight" : "ArrowLeft");
  await page.keyboard.press("Space");
  await page.locator(".column").nth(1).locator(".slip").waitFor();
}

test.each<Language>(["he"])(
  "in %s an application is added, moved, noted, remembered, given a file, imported beside others and exported",
  async (language) => {
    const { applications: t, application: one } = texts[language];
    const company = language === "en" ? "Globex Whole" : "גלובקס שלם";
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await page.context().addInitScript(faultFinder);
    await signIn(page, language);
    await add(page, language, company);
    await carry(page, language);
    await page.getByRole("link", { name: company, exact: true }).press("Enter");

    await page.getByLabel(one.notes.new, { exact: true }).fill("Talked to Dana");
    await button(page, one.notes.add).press("Enter");
    await page.locator(".timeline__note").waitFor();
    await button(page, one.reminders.add).press("Enter");
    await page.getByLabel(one.reminders.text, { exact: true }).fill("Call again");
    await button(page, one.reminders.plan).press("Enter");
    await page.locator(".reminder").waitFor();
    const buffer = Buffer.from("%PDF-1.7 of the offer");
    const file = { name: "offer.pdf", mimeType: "application/pdf", buffer };
    await page.getByLabel(one.files.add, { exact: true }).setInputFiles(file);
    const kept = page.locator(".stored-file", { hasText: "offer.pdf" });
    const fetching = page.waitForEvent("download", { timeout: 30_000 });
    await kept.getByRole("button", { name: `${one.files.save} offer.pdf` }).press("Enter");
    expect(await readFile(await (await fetching).path())).toEqual(buffer);
    // It was added, then moved.
    await expect.poll(() => page.locator(".timeline__entry[data-kind=history]").count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);

    const choose = async (name: string): Promise<void> => {
      await button(page, t.more).press("Enter");
      await page.getByRole("menuitem", { name, exact: true }).press("Enter");
    };
    await page.goto("/applications");
    await choose(t.pipeline.title);
    const stage = `Sent ${language}`;
    await page.locator("dialog").getByLabel(t.pipeline.name, { exact: true }).nth(1).fill(stage);
    await button(page, t.pipeline.save).press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.reload();
    await page.locator(".column").nth(1).getByText(stage).first().waitFor();

    await page.goto("/applications?view=table");
    await choose(t.import.title);
    const list = Buffer.from(`company,role\n${company} 2,Nurse\n`);
    await page
      .locator("dialog [name=file]")
      .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: list });
    await button(page, t.import.read).press("Enter");
    await button(page, t.import.add_one.replace("{{count}}", "1")).press("Enter");
    // The review has a field of the same name, and stays until all is added.
    await page.getByRole("navigation", { name: t.views.label }).waitFor();
    await page.getByLabel(t.filters.text, { exact: true }).fill(company);
    const rows = page.locator(".data-table tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    await page
      .getByRole("checkbox", { name: t.bulk.row.replace("{{name}}", isolated(`${company} 2`)) })
      .press("Space");
    await button(page, t.archive.action).press("Enter");
    await expect.poll(() => rows.count()).toBe(1);

    const saving = page.waitForEvent("download", { timeout: 30_000 });
    await choose(t.export.csv);
    expect(await readFile(await (await saving).path(), "utf8")).toContain(company);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  180_000,
);
