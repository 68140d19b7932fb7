import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Language } from "../fixtures.ts";
import { withoutFrames } from "../portfolio-answers.ts";
import { type OperatedStack, startStack } from "../products.ts";
import { texts } from "../texts.ts";

/** A portfolio from a CV to its readers, through the whole product. */
let stack: OperatedStack;
let password: string;

beforeAll(async () => {
  stack = await startStack();
  ({ password } = await stack.makeDemo());
}, 240_000);
afterAll(() => stack.stop());

const address = "/p/noa-levi";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const saved = (page: Page) =>
  page.locator(".cv-save[data-kind=saved]").waitFor({ timeout: 30_000 });
const stamp = (page: Page, text: string) =>
  page.locator(".pf-status__stamp", { hasText: text }).waitFor({ timeout: 30_000 });
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function signIn(page: Page, language: Language): Promise<void> {
  const path = `/portfolio?page=${language}`;
  await page.goto(`/login?next=${encodeURIComponent(path)}`);
  await page.locator("[name=email]").fill("premium@demo.example");
  await page.locator("[name=password]").fill(password);
  await button(page, texts[language].account.signIn.submit).press("Enter");
  await page.waitForURL(`**${path}`);
}

/** Chooses in the menu of a section. */
async function choose(page: Page, language: Language, name: string, act: string): Promise<void> {
  const menuOf = texts[language].cv.order.menuOf.replace("{{name}}", `\u2068${name}\u2069`);
  await button(page, menuOf).press("Enter");
  await page.getByRole("menuitem", { name: act, exact: true }).press("Enter");
}

/** What a reader without an account sees. */
async function read(language: Language) {
  const visitor = await stack.visit({ language });
  await visitor.page.goto(`${address}?lang=${language}`);
  return visitor;
}

test.each<Language>(["en"])(
  "in %s a portfolio is made from a CV, ordered, shortened, illustrated and published; it is unlisted, locked, and restored",
  async (language) => {
    const { cv, portfolio: t } = texts[language];
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    await signIn(page, language);
    const part = (name: string) => page.getByRole("tab", { name, exact: true }).press("Enter");

    // The page of the demo makes way for another one.
    await part(t.parts.publish);
    await button(page, t.delete.action[language]).press("Enter");
    await button(page, t.delete.confirm).press("Enter");
    await button(page, `${t.begin.fromCv} Product designer`).press("Enter");
    await page.getByLabel(cv.profile.fullName, { exact: true }).waitFor({ timeout: 30_000 });

    await choose(page, language, cv.kinds.education, cv.section.hide);
    await button(page, cv.section.add).press("Enter");
    await page.getByRole("menuitem", { name: cv.kinds.projects, exact: true }).press("Enter");
    await page.getByLabel(cv.fields.name, { exact: true }).last().fill("Handover");
    const choosing = page.waitForEvent("filechooser");
    await button(page, t.pictures.add).press("Enter");
    await (await choosing).setFiles([{ name: "sheet.png", mimeType: "image/png", buffer: dot }]);
    await page.getByLabel(t.pictures.alt, { exact: true }).fill("A sheet in two halves");
    await saved(page);

    await part(t.parts.look);
    await page.locator("#cv-theme-atelier").check();
    await saved(page);
    await part(t.parts.publish);
    await page.locator("#pf-state-published").check();
    await button(page, t.publish.now).or(button(page, t.publish.changes)).last().press("Enter");
    await stamp(page, t.status.stamp.published);

    const reader = await read(language);
    const picture = reader.page.getByRole("img", { name: "A sheet in two halves" });
    // It is loaded when it is looked at.
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() =>
        picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
      )
      .toBe(1);
    expect(await reader.page.locator("#content h2").allInnerTexts()).not.toContain(
      cv.kinds.education,
    );
    expect(reader.noise).toEqual([]);
    await reader.leave();

    await page.locator("#pf-state-unlisted").check();
    await button(page, t.publish.changes).last().press("Enter");
    await stamp(page, t.status.stamp.unlisted);
    await page.getByLabel(t.readers.password, { exact: true }).fill("rosemary");
    await button(page, t.readers.setPassword).press("Enter");
    await page.getByText(t.readers.locked).waitFor();
    const locked = await read(language);
    const asked = locked.page.locator("[name=password]");
    // Readers see a change within seconds.
    await expect
      .poll(() => locked.page.reload().then(() => asked.count()), { timeout: 20_000 })
      .toBe(1);
    await locked.page.locator("[name=password]").fill("rosemary");
    await locked.page.locator("[name=password]").press("Enter");
    await locked.page.getByRole("img", { name: "A sheet in two halves" }).waitFor();
    expect(await locked.page.locator("meta[name=robots]").getAttribute("content")).toContain(
      "noindex",
    );
    await locked.leave();
    await button(page, t.readers.removePassword).press("Enter");

    await part(t.parts.versions);
    await page
      .getByRole("button", { name: new RegExp(`^${t.versions.restore}`, "u") })
      .last()
      .press("Enter");
    await page.getByText(t.versions.restored).waitFor({ timeout: 30_000 });
    await part(t.parts.write);
    await expect.poll(() => page.getByText(cv.section.hidden).count()).toBe(0);
    await page.locator(".pf-status").getByText(t.status.changed).waitFor();
    expect(withoutFrames(visitor.noise)).toEqual([]);
    await visitor.leave();
  },
  240_000,
);
