import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import account_en from "../../i18n/en/account.json" with { type: "json" };
import account_he from "../../i18n/he/account.json" with { type: "json" };
import { type ExampleArea, startExampleArea } from "../example-area-server.ts";
import type { Language } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults, targetFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** The frame of the signed-in area with the navigation that features bring. */
let area: ExampleArea;
beforeAll(async () => {
  area = await startExampleArea();
  area.answerWith(() => ({ status: 200, body: { entries: [] } }));
});
afterAll(() => area.stop());

const account = { en: account_en, he: account_he };
const names = {
  en: { links: "Decisions", cv: "CVs", one: "One CV", privacy: "Privacy" },
  he: { links: "החלטות", cv: "קורות חיים", one: "קורות חיים אחד", privacy: "פרטיות" },
};
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true });
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

async function faultsOf(page: Page): Promise<string[]> {
  return [
    ...(await accessibilityFaults(page)),
    ...(await overflowFaults(page)),
    ...(await targetFaults(page)),
  ];
}

async function arrive(language: Language, path: string, width = 1280) {
  const { layout } = account[language];
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  const viewport = { width, height: 700 };
  const visitor = await area.visit({ language, viewport, colorScheme });
  await visitor.page.goto(path);
  await visitor.page.locator("main h1").waitFor();
  const { page } = visitor;
  const navigation = page.getByRole("navigation", { name: layout.navigation, exact: true });
  return { visitor, page, navigation };
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { shell } = texts[language];

  test.each([1280, 360, 320])("has no fault at %i px, with its menu open too", async (width) => {
    // Contrast depends on the theme alone, direction on the language: each is seen at every width.
    const { visitor, page } = await arrive(language, "/links", width);
    const faults = await faultsOf(page);
    if (width < 960) {
      await page.getByRole("button", { name: shell.nav.menu }).press("Enter");
      await page.getByRole("dialog").waitFor();
      faults.push(...(await faultsOf(page)));
    }
    expect(faults).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["en"])("in %s", (language) => {
  const { shell } = texts[language];
  const name = names[language];

  test("the current page and the pages below it are marked, and a link needs no document", async () => {
    const { visitor, page, navigation } = await arrive(language, "/cv/7");
    const current = navigation.locator("[aria-current=page]");
    expect(await current.allTextContents()).toEqual([name.cv]);
    const documents: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await navigation.getByRole("link", { name: name.privacy }).press("Enter");
    await heading(page, name.privacy).waitFor();
    expect(await current.allTextContents()).toEqual([name.privacy]);
    await expect.poll(() => focusedText(page)).toBe(name.privacy);
    await expect.poll(() => page.title()).toContain(name.privacy);
    expect(documents).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("the skip link comes first and leads to the content", async () => {
    const { visitor, page } = await arrive(language, "/cv");
    await page.keyboard.press("Tab");
    expect(await focusedText(page)).toBe(shell.skip.main);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { layout } = account[language];
  const { shell } = texts[language];
  const name = names[language];

  test("on a phone the menu has the pages, the theme, the language and the sign-out", async () => {
    const { visitor, page } = await arrive(language, "/cv", 360);
    const menu = page.getByRole("button", { name: shell.nav.menu });
    await menu.press("Enter");
    const dialog = page.getByRole("dialog", { name: shell.nav.menu });
    expect(await dialog.getByRole("link").allTextContents()).toEqual([
      name.links,
      name.cv,
      name.privacy,
    ]);
    await dialog.getByRole("radio", { name: shell.theme.dark }).press("Space");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    const other = language === "en" ? "he" : "en";
    expect(await dialog.getByRole("button", { name: shell.language[other] }).isVisible()).toBe(
      true,
    );
    expect(await dialog.getByRole("button", { name: layout.signOut }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await focusedText(page)).toBe(shell.nav.menu);
    await menu.press("Enter");
    await dialog.getByRole("link", { name: name.privacy }).press("Enter");
    await heading(page, name.privacy).waitFor();
    expect(await dialog.count()).toBe(0);
    await expect.poll(() => focusedText(page)).toBe(name.privacy);
    await visitor.leave();
  });
});

test("without a token there is no navigation", async () => {
  const visitor = await area.visit({ before: "" });
  await visitor.page.goto("/cv");
  await heading(visitor.page, "Sign in").waitFor();
  expect(await visitor.page.getByRole("navigation").count()).toBe(0);
  await visitor.leave();
});
