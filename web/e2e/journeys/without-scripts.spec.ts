import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { startStack } from "../products.ts";
import { sitePaths, unlinkedPaths } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

describe.each(["en", "he"] as const)("without scripts, in %s", (language: Language) => {
  const other = language === "en" ? "he" : "en";
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await stack.visit({ language, javaScriptEnabled: false });
  });
  afterAll(() => visitor.leave());

  test.each(sitePaths)("%s can be read: heading, text, and every answer", async (path) => {
    const { page } = visitor;
    await page.goto(path);
    const main = page.getByRole("main");
    expect(await main.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    const text = await main.innerText();
    expect(text.length).toBeGreaterThan(60);
    const regions = await main.getByRole("region").all();
    for (const region of regions) expect(await region.isVisible()).toBe(true);
    const buttons = await main.locator("button[aria-expanded]").all();
    for (const button of buttons) {
      const answer = page.locator(`[id="${(await button.getAttribute("aria-controls")) ?? ""}"]`);
      expect(await answer.isVisible()).toBe(true);
      expect((await answer.innerText()).length).toBeGreaterThan(20);
    }
  });

  test.each([360, 1280])("the whole site is reached from a window of %i pixels", async (width) => {
    const { page } = visitor;
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const shown = await page
      .locator("header a[href^='/'], footer a[href^='/']")
      .evaluateAll((links) =>
        links
          .filter((link) => link.checkVisibility({ visibilityProperty: true }))
          .map((link) => link.getAttribute("href")),
      );
    // Linked from the text of the page about us.
    const elsewhere = ["/signup", "/ledger-heads", "/privacy/request", ...unlinkedPaths];
    const linked = sitePaths.filter((path) => !elsewhere.includes(path));
    expect(linked.filter((path) => !shown.includes(path))).toEqual([]);
    const resources = page.getByRole("banner").locator("a[href^='/ats/'], a[href^='/brand/']");
    expect(await resources.count()).toBe(3);
    // Where a button hides them, its focus shows them.
    const button = page.getByRole("button", { name: texts[language].shell.nav.resources });
    if (await button.isVisible()) await button.focus();
    for (const link of await resources.all()) await link.waitFor();
  });

  test("the language is switched by the server, on the page where one is", async () => {
    const { page } = visitor;
    await page.goto("/about");
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/lang"));
    await page.getByRole("button", { name: texts[language].shell.language[other] }).click();
    const answer = await answered;
    expect(answer.request().method()).toBe("POST");
    expect(answer.status()).toBe(303);
    await page.locator(`html[lang=${other}]`).waitFor();
    expect(new URL(page.url()).pathname).toBe("/about");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
      texts[other].about.title,
    );
    await page.context().clearCookies();
  });

  test("both prices of every plan can be read", async () => {
    const { page } = visitor;
    await page.goto("/pricing");
    const text = await page.getByRole("main").innerText();
    for (const price of ["$0", "$8", "$10", "$15", "$20", "$96", "$180"]) {
      expect(text.replaceAll(/[\s\u200e\u200f]/gu, "")).toContain(price);
    }
  });
});
