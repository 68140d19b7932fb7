import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const small = { width: 360, height: 740 };
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);
const expectFocus = (target: Locator): Promise<void> =>
  vi.waitFor(async () => expect(await hasFocus(target)).toBe(true));
const expectOpen = (button: Locator, open: boolean): Promise<void> =>
  vi.waitFor(async () => expect(await button.getAttribute("aria-expanded")).toBe(String(open)));

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(target)) return;
  }
  throw new Error("not reached by Tab");
}

/** How a journey in a language begins, and finds what it needs. */
function keyboardIn(language: Language) {
  const { shell, consent, plans } = texts[language];
  const arrive = async (path: string, viewport = { width: 1280, height: 800 }) => {
    const visitor = await stack.visit({
      language,
      viewport,
      before: consentGiven,
    });
    await visitor.open(path);
    return visitor;
  };
  const navigation = ({ page }: Visitor): Locator =>
    page.getByRole("navigation", { name: shell.nav.label });
  const resources = (visitor: Visitor): Locator =>
    navigation(visitor).getByRole("button", { name: shell.nav.resources, exact: true });
  const panelOf = async ({ page }: Visitor, button: Locator): Promise<Locator> =>
    page.locator(`[id="${(await button.getAttribute("aria-controls")) ?? ""}"]`);

  const expectNoNoise = async (visitor: Visitor): Promise<void> => {
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  };
  return { shell, consent, plans, arrive, navigation, resources, panelOf, expectNoNoise };
}

describe.each(["en", "he"] as const)("with a keyboard, in %s", (language: Language) => {
  const { shell, plans, arrive, expectNoNoise } = keyboardIn(language);

  describe("the billing period", () => {
    const amounts = ({ page }: Visitor): Promise<string[]> =>
      page.getByRole("list", { name: plans.list }).locator("bdi").allInnerTexts();
    const expectAmounts = (visitor: Visitor, expected: string[]): Promise<void> =>
      vi.waitFor(async () => expect(await amounts(visitor)).toEqual(expected));
    const monthly = ["$0", "$10", "$20"];
    const annual = ["$0", "$8", "$15"];

    test("is toggled with the arrows on wide screens", async () => {
      const visitor = await arrive("/pricing");
      const { page } = visitor;
      const group = page.getByRole("group", { name: plans.period.label });
      await expectAmounts(visitor, monthly);
      await tabTo(page, group.getByRole("radio", { name: plans.period.monthly }));
      await page.keyboard.press(language === "he" ? "ArrowLeft" : "ArrowRight");
      await expectFocus(group.getByRole("radio", { name: plans.period.annual }));
      await expectAmounts(visitor, annual);
      await page.keyboard.press("ArrowUp");
      await expectAmounts(visitor, monthly);
      expect(await page.getByRole("combobox").count()).toBe(0);
      await expectNoNoise(visitor);
    });

    test("is chosen from a list on a small screen", async () => {
      const visitor = await arrive("/pricing", small);
      const { page } = visitor;
      const list = page.getByRole("combobox", { name: plans.period.label });
      await tabTo(page, list);
      await page.keyboard.press("ArrowDown");
      await expectAmounts(visitor, annual);
      await page.keyboard.press("ArrowUp");
      await expectAmounts(visitor, monthly);
      expect(await page.getByRole("group", { name: plans.period.label }).count()).toBe(0);
      await expectNoNoise(visitor);
    });

    test("leaves every plan without a way to buy it", async () => {
      const visitor = await arrive("/pricing");
      const buttons = visitor.page.getByRole("list", { name: plans.list }).getByRole("button");
      expect(await buttons.count()).toBe(3);
      for (const button of await buttons.all()) expect(await button.isDisabled()).toBe(true);
      await expectNoNoise(visitor);
    });
  });

  test("the theme is chosen with the arrows, which follow the direction of reading", async () => {
    const visitor = await arrive("/");
    const { page } = visitor;
    const choice = (name: string): Locator => page.getByRole("radio", { name, exact: true });
    const back = language === "he" ? "ArrowRight" : "ArrowLeft";
    await tabTo(page, choice(shell.theme.system));
    await page.keyboard.press(back);
    await expectFocus(choice(shell.theme.dark));
    await page.locator("html[data-theme=dark]").waitFor();
    await page.keyboard.press("ArrowUp");
    await expectFocus(choice(shell.theme.light));
    await page.locator("html[data-theme=light]").waitFor();
    await expectNoNoise(visitor);
  });
});

// The direction of reading plays no part in these.
describe.each(["he"] as const)("with a keyboard, in %s, too", (language: Language) => {
  const { shell, consent, arrive, navigation, resources, panelOf, expectNoNoise } =
    keyboardIn(language);

  test("three skip links come first and lead where they say", async () => {
    const visitor = await arrive("/");
    const { page } = visitor;
    const links = [
      [shell.skip.main, "main"],
      [shell.skip.navigation, "navigation"],
      [shell.skip.footer, "footer"],
    ] as const;
    for (const [index, [name, target]] of links.entries()) {
      await visitor.open("/");
      for (let presses = 0; presses <= index; presses++) await page.keyboard.press("Tab");
      await expectFocus(page.getByRole("link", { name, exact: true }));
      await page.keyboard.press("Enter");
      await expectFocus(page.locator(`#${target}`));
    }
    await expectNoNoise(visitor);
  });

  describe("the resources", () => {
    test("open and close on Enter and on Space", async () => {
      const visitor = await arrive("/");
      const button = resources(visitor);
      const panel = await panelOf(visitor, button);
      await tabTo(visitor.page, button);
      for (const key of ["Enter", "Space"]) {
        await visitor.page.keyboard.press(key);
        await expectOpen(button, true);
        expect(await panel.getByRole("link").count()).toBe(3);
        expect(await panel.getByRole("link").first().isVisible()).toBe(true);
        await visitor.page.keyboard.press(key);
        await expectOpen(button, false);
        expect(await panel.getByRole("link").first().isVisible()).toBe(false);
      }
      await expectNoNoise(visitor);
    });

    test("close on Escape, which gives focus back to their button", async () => {
      const visitor = await arrive("/");
      const button = resources(visitor);
      await button.press("Enter");
      await visitor.page.keyboard.press("Tab");
      await expectFocus((await panelOf(visitor, button)).getByRole("link").first());
      await visitor.page.keyboard.press("Escape");
      await expectOpen(button, false);
      await expectFocus(button);
      await expectNoNoise(visitor);
    });

    test("close when Tab leads out of them", async () => {
      const visitor = await arrive("/");
      const button = resources(visitor);
      await button.press("Enter");
      for (let presses = 0; presses < 3; presses++) await visitor.page.keyboard.press("Tab");
      await expectFocus((await panelOf(visitor, button)).getByRole("link").last());
      await expectOpen(button, true);
      await visitor.page.keyboard.press("Tab");
      await expectOpen(button, false);
      await expectNoNoise(visitor);
    });

    test("close on the way to one of them, whose heading has focus then", async () => {
      const visitor = await arrive("/");
      const button = resources(visitor);
      await button.press("Enter");
      const link = (await panelOf(visitor, button)).getByRole("link").first();
      const target = (await link.getAttribute("href")) ?? "";
      await link.press("Enter");
      await visitor.page.waitForURL(`**${target}`);
      await expectOpen(button, false);
      await expectFocus(visitor.page.getByRole("heading", { level: 1 }));
      await expectNoNoise(visitor);
    });

    test("open for a pointer, and stay 200 ms after it has left, in which it may return", async () => {
      const visitor = await stack.visit({ language, before: consentGiven, fresh: true });
      const { page } = visitor;
      await page.clock.install();
      await visitor.open("/");
      await page.clock.pauseAt(Date.now() + 60_000);
      const button = resources(visitor);
      await button.hover();
      await expectOpen(button, true);
      await page.mouse.move(640, 700);
      await page.clock.runFor(199);
      await expectOpen(button, true);
      await button.hover();
      await page.clock.runFor(1000);
      await expectOpen(button, true);
      await page.mouse.move(640, 700);
      await page.clock.runFor(200);
      await expectOpen(button, false);
      await expectNoNoise(visitor);
    });
  });

  test("the menu of a small screen opens, closes on Escape and on arriving", async () => {
    const visitor = await arrive("/", small);
    const { page } = visitor;
    const menu = page.getByRole("button", { name: shell.nav.menu, exact: true });
    const about = navigation(visitor).getByRole("link", { name: shell.nav.about });
    expect(await about.isVisible()).toBe(false);
    await tabTo(page, menu);
    await page.keyboard.press("Enter");
    await about.waitFor();
    await page.keyboard.press("Escape");
    await about.waitFor({ state: "hidden" });
    await expectFocus(menu);
    await page.keyboard.press("Space");
    await about.press("Enter");
    await page.waitForURL("**/about");
    await about.waitFor({ state: "hidden" });
    await expectNoNoise(visitor);
  });

  test.each(["/", "/ats/what-is-ats", "/pricing", "/signup"])(
    "of the questions on %s one is open at a time",
    async (path) => {
      const visitor = await arrive(path);
      const { page } = visitor;
      const questions = page.getByRole("main").locator(":is(h2, h3) button[aria-expanded]");
      const [first, second] = [questions.nth(0), questions.nth(1)];
      const answer = await panelOf(visitor, first);
      await tabTo(page, first);
      expect(await answer.isVisible()).toBe(false);
      await page.keyboard.press("Enter");
      await expectOpen(first, true);
      await answer.waitFor();
      await second.press("Space");
      await expectOpen(second, true);
      await expectOpen(first, false);
      await answer.waitFor({ state: "hidden" });
      await second.press("Enter");
      await expectOpen(second, false);
      await expectNoNoise(visitor);
    },
  );

  test("the cookie settings hold focus, take a choice, and give focus back", async () => {
    const visitor = await arrive("/");
    const { page } = visitor;
    const opener = page
      .getByRole("contentinfo")
      .getByRole("button", { name: shell.footer.cookieSettings });
    const dialog = page.getByRole("dialog", { name: consent.settings.title });
    await opener.press("Enter");
    await dialog.waitFor();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(
        () =>
          document.activeElement !== document.body &&
          document.activeElement?.closest("dialog") === null,
      );
      expect(outside).toBe(false);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocus(opener);
    await page.keyboard.press("Enter");
    const analytics = dialog.getByRole("switch", { name: consent.analytics.title });
    await analytics.press("Space");
    expect(await analytics.isChecked()).toBe(true);
    await dialog.getByRole("button", { name: consent.settings.save }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    const kept = await page.evaluate(() => localStorage.getItem("cookiePreferences"));
    expect(JSON.parse(kept ?? "")).toMatchObject({ analytics: true });
    await expectNoNoise(visitor);
  });
});
