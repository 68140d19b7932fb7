import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, startStack } from "../fixtures.ts";
import { accessibilityFaults, faultFinder, overflowFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const languages: readonly Language[] = ["en", "he"];
const looks = languages.flatMap((language) =>
  (["light", "dark"] as const).map((theme) => ({ language, theme })),
);

describe.each(looks)("in $language and $theme", ({ language, theme }) => {
  const { shell, consent } = texts[language];

  test.each([320, 1280])("banner, settings and menu are accessible at %i pixels", async (width) => {
    const visitor = await stack.visit({
      language,
      colorScheme: theme,
      viewport: { width, height: 800 },
      before: faultFinder,
    });
    const { page } = visitor;
    const expectNoFault = async (): Promise<void> =>
      expect([...(await accessibilityFaults(page)), ...(await overflowFaults(page))]).toEqual([]);
    // A short page: the inspected part is the same on every page.
    await page.goto("/newsletter/confirmed");
    const details = page.getByRole("button", {
      name: consent.banner.customise,
      exact: true,
    });
    await details.waitFor();
    await expectNoFault();
    await details.click();
    await page.getByRole("dialog").waitFor();
    await expectNoFault();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // On a small screen the whole menu opens, on a large one only the resources.
    const menu = page.getByRole("button", { name: shell.nav.menu, exact: true });
    const resources = page.getByRole("button", { name: shell.nav.resources, exact: true });
    await ((await menu.isVisible()) ? menu : resources).click();
    await page.getByRole("banner").locator("a[href^='/ats/']").first().waitFor();
    await expectNoFault();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe("theme", () => {
  test("is chosen once, kept alone, and there before the first paint", async () => {
    const visitor = await stack.visit({ before: consentGiven, colorScheme: "light" });
    const { page } = visitor;
    await visitor.open("/");
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    const kept = await page.evaluate(() => localStorage.getItem("theme-storage"));
    expect(JSON.parse(kept ?? "")).toEqual({ theme: "dark" });
    await page.goto("/about", { waitUntil: "commit" });
    await page.locator("html[data-theme=dark]").waitFor();
    const canvas = await page.evaluate(
      () => getComputedStyle(document.documentElement).colorScheme,
    );
    expect(canvas).toBe("dark");
    await vi.waitFor(() => expect(visitor.of("pageview")).toHaveLength(2));
    await page.getByRole("radio", { name: "As on this device" }).check({ force: true });
    await page.locator("html[data-theme=light]").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor();
    await visitor.leave();
  });
});

describe("moving about", () => {
  test("a page that is opened starts at its top, with focus on its heading", async () => {
    const visitor = await stack.visit({ before: consentGiven });
    const { page } = visitor;
    await visitor.open("/");
    await page.evaluate(() => window.scrollTo(0, 1500));
    await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
    await page.waitForURL("**/about");
    await vi.waitFor(async () => expect(await page.evaluate(() => scrollY)).toBe(0));
    await page.locator("h1:focus").waitFor();
    expect(await page.title()).toContain(texts.en.about.meta.title);
    expect(visitor.of("pageview").map(({ body }) => body["page"])).toEqual(["/", "/about"]);
    await visitor.leave();
  });

  test("the prices are reached from the top of the home page, with focus, in place", async () => {
    const visitor = await stack.visit({ before: consentGiven });
    const { page } = visitor;
    await visitor.open("/");
    await page
      .locator("main section")
      .first()
      .locator("a[href='/#pricing'], a[href='#pricing']")
      .click();
    await vi.waitFor(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("pricing"),
    );
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/#pricing");
    expect(visitor.of("pageview")).toHaveLength(1);
    await visitor.leave();
  });
});
