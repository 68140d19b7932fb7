import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { type Language, type OwnStack, startOwnStack } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** A CV from its first letter to its file, through the whole product. */
let stack: OwnStack;
let password: string;

beforeAll(async () => {
  stack = await startOwnStack();
  await stack.operate("infra/embedded/demo.cli.ts");
  const demo: unknown = JSON.parse(await readFile(join(stack.dataDir, "demo.json"), "utf8"));
  password = z.object({ password: z.string() }).parse(demo).password;
}, 240_000);
afterAll(() => stack.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const saved = (page: Page) =>
  page.locator(".cv-save[data-kind=saved]").waitFor({ timeout: 30_000 });
const name = (page: Page, language: Language) =>
  page.getByLabel(texts[language].cv.profile.fullName, { exact: true });

async function signIn(page: Page, language: Language): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent("/cv")}`);
  await page.locator("[name=email]").fill("premium@demo.example");
  await page.locator("[name=password]").fill(password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL("**/cv");
}

/** Begins an empty CV. @returns its address */
async function begin(page: Page, language: Language, title: string): Promise<string> {
  const { cv: t } = texts[language];
  await button(page, t.create.action).first().press("Enter");
  await page.locator("dialog [name=title]").fill(title);
  await page.locator(`dialog [name=language][value=${language}]`).check();
  await button(page, t.create.submit).press("Enter");
  await page.waitForURL(/\/cv\/[0-9a-f-]+$/u);
  await name(page, language).waitFor();
  return new URL(page.url()).pathname;
}

/** Adds a section by its menu. */
async function addSection(page: Page, language: Language, kind: "experience" | "skills") {
  const { cv: t } = texts[language];
  await button(page, t.section.add).press("Enter");
  await page.getByRole("menuitem", { name: t.kinds[kind], exact: true }).press("Enter");
  await page.getByRole("heading", { name: t.kinds[kind], exact: true }).waitFor();
}

const written = {
  en: { name: "Noa Levi", role: "Head nurse", other: "Nurse", point: "Led eight nurses" },
  he: { name: "נועה לוי", role: "אחות ראשית", other: "אחות", point: "ניהלה צוות של שמונה" },
};

test.each(["en", "he"] as const)(
  "in %s a CV is written by keyboard, ordered, given another template, read by programs and downloaded",
  async (language) => {
    const { cv: t } = texts[language];
    const text = written[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    await begin(page, language, `${text.role} 1`);
    await name(page, language).fill(text.name);
    await page.getByLabel(t.profile.email, { exact: true }).fill("noa@example.com");
    await addSection(page, language, "experience");
    await page.getByLabel(t.fields.role, { exact: true }).fill(text.role);
    await button(page, t.fields.addBullet).press("Enter");
    await page.keyboard.type(text.point);
    await button(page, t.entry.add.experience).press("Enter");
    await page.getByLabel(t.fields.role, { exact: true }).last().fill(text.other);
    const isolated = `\u2068${text.other}\u2069`;
    await button(page, t.order.menuOf.replace("{{name}}", isolated)).press("Enter");
    await page.getByRole("menuitem", { name: t.order.up, exact: true }).press("Enter");
    await expect
      .poll(() => page.locator(".cv-entry__toggle .cv-entry__title").allInnerTexts())
      .toEqual([text.other, text.role]);
    await page.getByRole("img", { name: t.page.alt_one.replace("{{count}}", "1") }).waitFor();

    await page.getByRole("tab", { name: t.parts.look, exact: true }).press("Enter");
    await page.locator("#cv-template-editorial").check();
    await saved(page);
    await page.getByRole("tab", { name: t.parts.export, exact: true }).press("Enter");
    await page.locator(".cv-reading").first().waitFor({ timeout: 60_000 });
    expect(await page.locator(".cv-file[data-recommended=true]").count()).toBe(1);
    const saving = page.waitForEvent("download", { timeout: 60_000 });
    await button(page, `${t.export.download} ${t.formats.json.name}`).press("Enter");
    const file = await readFile(await (await saving).path(), "utf8");
    expect(
      z.object({ basics: z.object({ name: z.string() }) }).parse(JSON.parse(file)).basics.name,
    ).toBe(text.name);
    expect(file).toContain(text.point);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  180_000,
);

test.each(["en", "he"] as const)(
  "in %s what is written offline in one tab and online in another is all there afterwards",
  async (language) => {
    const { cv: t } = texts[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    const path = await begin(page, language, `${written[language].role} 2`);
    const other = await page.context().newPage();
    await other.goto(path);
    const place = (one: Page) => one.getByLabel(t.profile.place, { exact: true });
    await place(other).waitFor();

    await page.route("**/api/cvs/**", (route) => route.abort("internetdisconnected"));
    await name(page, language).fill("A");
    await page.locator(".cv-save[data-kind=trouble]").waitFor({ timeout: 30_000 });
    await place(other).fill("B");
    await saved(other);
    await page.unroute("**/api/cvs/**");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await saved(page);
    await expect.poll(() => place(page).inputValue(), { timeout: 30_000 }).toBe("B");
    await other.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect.poll(() => name(other, language).inputValue(), { timeout: 30_000 }).toBe("A");
    await visitor.leave();
  },
  180_000,
);
