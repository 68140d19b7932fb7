import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack } from "../fixtures.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const languages: readonly Language[] = ["en", "he"];
/** Contrast depends on the theme, the layout on direction and width: each pair of these is seen once. */
const looks = languages.flatMap((language) =>
  (["light", "dark"] as const).map((theme) => {
    const width = (language === "en") === (theme === "light") ? 320 : 1280;
    return { language, theme, width };
  }),
);

describe.each(looks)("in $language and $theme at $width pixels", ({ language, theme, width }) => {
  const { shell, consent } = texts[language];

  test("banner, settings and menu are accessible", async () => {
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
    await expect.poll(() => visitor.of("pageview")).toHaveLength(2);
    await page.getByRole("radio", { name: "As on this device" }).check({ force: true });
    await page.locator("html[data-theme=light]").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor();
    await visitor.leave();
  });
});

test("the words of a headline keep their distance", async () => {
  const visitor = await stack.visit({ before: consentGiven });
  const { page } = visitor;
  await visitor.open("/about");
  const [together, apart] = await page.evaluate(async () => {
    const probe = document.createElement("h1");
    probe.style.cssText = "position:absolute;font-size:100px;letter-spacing:0;white-space:pre";
    document.body.append(probe);
    await document.fonts.load("500 100px 'Frank Ruhl Libre'", "who");
    const width = (text: string): number => {
      probe.textContent = text;
      return probe.getBoundingClientRect().width;
    };
    return [width("people who"), width("people") + width(" ") + width("who")];
  });
  expect(together).toBeCloseTo(apart, 0);
  await visitor.leave();
});

describe("details", () => {
  test("from the dark theme a page is printed as ink on white", async () => {
    const visitor = await stack.visit({ before: consentGiven, colorScheme: "dark" });
    const { page } = visitor;
    const colours = () =>
      page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.documentElement);
        return [color, backgroundColor];
      });
    await visitor.open("/pricing");
    const [ink, canvas] = await colours();
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("html[data-theme=light]").waitFor();
    const light = await colours();
    expect(light).not.toEqual([ink, canvas]);
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    await page.locator("html[data-theme=dark]").waitFor();
    expect(await colours()).toEqual(light);
    await visitor.leave();
  });

  test("with forced colours the drawings and their legend have the colour of text", async () => {
    const visitor = await stack.visit({ before: consentGiven, forcedColors: "active" });
    const { page } = visitor;
    await visitor.open("/");
    const colours = await page.evaluate(() => {
      const style = (selector: string, pseudo?: string): CSSStyleDeclaration => {
        const element = document.querySelector(selector);
        if (element === null) throw new Error(`no ${selector}`);
        return getComputedStyle(element, pseudo);
      };
      return {
        text: style("body").color,
        ring: style(".brand__mark").stroke,
        mark: style(".timeline__open").fill,
        legend: style(".record__key--new", "::before").backgroundColor,
      };
    });
    const { text } = colours;
    expect(colours).toEqual({ text, ring: text, mark: text, legend: text });
    await visitor.leave();
  });

  test.each(["en", "he"] as const)(
    "links are large enough without the fonts, in %s",
    async (language) => {
      const viewport = { width: 360, height: 640 };
      const visitor = await stack.visit({ language, before: consentGiven, viewport });
      const { page } = visitor;
      await page.route("**/*.woff2", (route) => route.abort());
      for (const path of ["/", "/terms", "/privacy", "/cookie-policy", "/do-not-sell"]) {
        await visitor.open(path);
        expect(await targetFaults(page)).toEqual([]);
      }
      await visitor.leave();
    },
  );

  test.each(["en", "he"] as const)("a phone shows legal pages whole, in %s", async (language) => {
    const viewport = { width: 360, height: 640 };
    const visitor = await stack.visit({ language, before: consentGiven, viewport });
    const { page } = visitor;
    await visitor.open("/terms");
    const hidden = await page
      .locator(".legal__contents")
      .evaluate((list) => list.scrollHeight - list.clientHeight);
    expect(hidden).toBe(0);
    await visitor.open("/cookie-policy");
    const labels = await page
      .locator("tbody tr")
      .first()
      .evaluate((row) =>
        [...row.querySelectorAll("td")].map((cell) => getComputedStyle(cell, "::before").content),
      );
    const names = await page.locator("thead").first().locator("th").allTextContents();
    expect(labels.map((label) => label.split('"')[1])).toEqual(names.slice(1));
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
