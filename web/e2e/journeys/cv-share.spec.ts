import { linkCalls } from "@pro-talent/schemas/links/calls";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { cvId, linksToCv, visitCvs } from "../cv-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { linkOf, ok } from "../link-answers.ts";
import { accessibilityFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** A CV is shared by a link, from the CV and from the links. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const made = { link: linkOf(4, "Sheba", { cv: { cvId, version: 1 } }) };
const making = linkCalls["POST /api/links"].body;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Fills the open form in and sends it. @returns what it states that the link opens */
async function targetSent(page: Page, language: Language, label: string) {
  const { links: t } = texts[language];
  const dialog = page.getByRole("dialog");
  await dialog.locator("[name=label]").fill(label);
  expect(await accessibilityFaults(page)).toEqual([]);
  const asked = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().endsWith("/api/links"),
  );
  await button(page, t.create.submit).press("Enter");
  const { target } = making.parse((await asked).postDataJSON());
  await button(page, t.create.finish).press("Enter");
  return target;
}

test.each<Language>(["en"])(
  "in %s a CV shows its links with their opens, only those that open if wanted, and is shared as it is now",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor } = await visitCvs(stack, "/cv", language, (answers) => {
      answers.links = { ...answers.links, "POST /api/links": { status: 201, body: made } };
    });
    const said = [
      t.share.links_other.replace("{{shown}}", "2"),
      t.share.opens_other.replace("{{shown}}", "48"),
    ];
    await page.getByRole("link", { name: said.join(" · ") }).press("Enter");
    const entries = page.locator(".links__entry");
    await expect.poll(() => entries.count()).toBe(2);
    await button(page, t.share.openOnly).press("Enter");
    await expect.poll(() => entries.locator(".links__label").allInnerTexts()).toEqual(["Rambam"]);
    await button(page, t.share.action).press("Enter");
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.locator("[name=cvId]").inputValue()).toBe(cvId);
    const target = await targetSent(page, language, "Sheba");
    expect(target).toEqual({ kind: "cv", cvId, version: null });
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);

test.each<Language>(["he"])(
  "in %s no link opens where all of a CV are revoked, and the filter can be taken back",
  async (language) => {
    const { cv: t } = texts[language];
    const closed = { ...linksToCv, links: linksToCv.links.slice(1) };
    const { page, visitor } = await visitCvs(
      stack,
      `/cv/${cvId}?part=share`,
      language,
      (answers) => {
        answers.links = { ...answers.links, "/api/links": ok(closed) };
      },
    );
    await button(page, t.share.openOnly).press("Enter");
    await page.getByText(t.share.noneOpenBody).waitFor();
    await button(page, texts[language].account.view.clear).press("Enter");
    await expect.poll(() => page.locator(".links__entry").count()).toBe(1);
    await visitor.leave();
  },
);

test.each<Language>(["he"])(
  "in %s a version of a CV is chosen as what a link opens",
  async (language) => {
    const { links: t } = texts[language];
    const { page, visitor } = await visitCvs(stack, "/links", language, (answers) => {
      answers.links = { ...answers.links, "POST /api/links": { status: 201, body: made } };
    });
    await button(page, t.create.action).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t.fields.targets.cv, { exact: true }).check();
    await dialog.locator("[name=cvId]").selectOption({ label: "Head nurse, Haifa" });
    const version = dialog.locator("[name=cvVersion]");
    await version.locator("option", { hasText: "For Rambam" }).waitFor({ state: "attached" });
    await version.selectOption("1");
    const target = await targetSent(page, language, "Sheba");
    expect(target).toEqual({ kind: "cv", cvId, version: 1 });
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);
