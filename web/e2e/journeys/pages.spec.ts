import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Language, type Stack, startStack, type Visitor } from "../fixtures.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const pages = ["/", "/about", "/privacy", "/cookie-policy", "/nowhere"];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const languages: readonly Language[] = ["en", "he"];
const looks = languages.flatMap((language) =>
  (["light", "dark"] as const).map((theme) => ({ language, theme })),
);

/** A choice made before, so that the page is seen without the banner. */
const chosen = `localStorage.setItem('cookieConsentGiven','true');
  localStorage.setItem('cookiePreferences','{"essential":true,"analytics":false,"doNotTrack":false}')`;

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What the browser says about a page that is not there is the browser's way of saying 404. */
const unexpected = ({ noise }: Visitor): string[] =>
  noise.filter((text) => !text.includes("the server responded with a status of 404"));

describe.each(looks)("in $language and $theme", ({ language, theme }) => {
  test.each(pages)("%s has no accessibility violation, no noise, no overflow", async (path) => {
    const visitor = await stack.visit({ language, colorScheme: theme, before: chosen });
    const { page } = visitor;
    await page.goto(path);
    await vi.waitFor(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe(theme);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page)).toBe(0);
    }
    expect(unexpected(visitor)).toEqual([]);
    await visitor.leave();
  });

  test.each([320, 1280])("banner, settings and menu are accessible at %i pixels", async (width) => {
    const visitor = await stack.visit({
      language,
      colorScheme: theme,
      viewport: { width, height: 800 },
    });
    const { page } = visitor;
    await page.goto("/");
    await page.locator(".consent-banner").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.locator(".consent-banner__more button").click();
    await page.getByRole("dialog").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const menu = page.locator(".header__menu");
    if (await menu.isVisible()) await menu.click();
    await page.locator(".header__links").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe("language", () => {
  const cookies = [undefined, "en", "he"] as const;
  const cases = cookies.flatMap((cookie) =>
    cookies.flatMap((kept) => languages.map((browser) => ({ cookie, kept, browser }))),
  );

  test.each(cases)(
    "cookie $cookie, kept $kept, browser $browser: one language from the first paint",
    async ({ cookie, kept, browser }) => {
      const visitor = await stack.visit({ language: browser });
      const { page } = visitor;
      if (cookie !== undefined) {
        await page
          .context()
          .addCookies([{ name: "preferred_language", value: cookie, url: stack.origin }]);
      }
      const keep = kept === undefined ? "" : `localStorage.setItem('i18n_language','${kept}');`;
      await page.context().addInitScript(`${keep}
        new PerformanceObserver((list) => list.getEntries().forEach(() => {
          (window.painted ??= []).push(document.documentElement.lang)
        })).observe({ type: 'paint', buffered: true })`);
      const expected = cookie ?? kept ?? browser;
      await page.goto("/about");
      await page.locator(`html[lang=${expected}] h1`).waitFor();
      await vi.waitFor(async () => {
        const painted: unknown = await page.evaluate("window.painted");
        expect(painted).toEqual(expect.arrayContaining([expected]));
      });
      const painted: unknown = await page.evaluate("window.painted");
      expect(new Set(Array.isArray(painted) ? painted : [])).toEqual(new Set([expected]));
      expect(await page.evaluate(() => document.documentElement.dir)).toBe(
        expected === "he" ? "rtl" : "ltr",
      );
      expect(visitor.noise).toEqual([]);
      await visitor.leave();
    },
  );

  test("changes in place, is remembered, and is what the next page comes in", async () => {
    const visitor = await stack.visit({ before: chosen });
    const { page } = visitor;
    await page.goto("/about");
    const answered = page.waitForResponse((response) => response.url().endsWith("/lang"));
    await page.getByRole("button", { name: "עברית" }).click();
    await page.locator("html[lang=he][dir=rtl] body.rtl").waitFor();
    expect(await page.title()).toBe("אודות · Pro Talent");
    await answered;
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: "preferred_language", value: "he", sameSite: "Lax" });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(365);
    expect(await page.evaluate(() => localStorage.getItem("i18n_language"))).toBe("he");
    await page.goto("/privacy");
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("he");
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe("theme", () => {
  test("is chosen once, kept alone, and there before the first paint", async () => {
    const visitor = await stack.visit({ before: chosen, colorScheme: "light" });
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    const kept = await page.evaluate(() => localStorage.getItem("theme-storage"));
    expect(JSON.parse(kept ?? "")).toEqual({ theme: "dark" });
    await page.goto("/about", { waitUntil: "commit" });
    await page.locator("html[data-theme=dark]").waitFor();
    const canvas = await page.evaluate(
      () => getComputedStyle(document.documentElement).colorScheme,
    );
    expect(canvas).toBe("dark");
    await page.getByRole("radio", { name: "As on this device" }).check({ force: true });
    await page.locator("html[data-theme=light]").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor();
    await visitor.leave();
  });
});

describe("moving about", () => {
  test("three skip links come first and lead where they say", async () => {
    const visitor = await stack.visit({ before: chosen });
    const { page } = visitor;
    await page.goto("/");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("href"));
    for (const target of ["#main", "#navigation", "#footer"]) {
      await page.keyboard.press("Tab");
      expect(await focused()).toBe(target);
    }
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("footer");
    await visitor.leave();
  });

  test("a page that is opened starts at its top, with focus on its heading", async () => {
    const visitor = await stack.visit({ before: chosen });
    const { page } = visitor;
    await page.goto("/");
    await page.evaluate(() => window.scrollTo(0, 1500));
    await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
    await page.waitForURL("**/about");
    await vi.waitFor(async () => expect(await page.evaluate(() => scrollY)).toBe(0));
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    expect(await page.title()).toBe("About · Pro Talent");
    expect(visitor.of("pageview").map(({ body }) => body["page"])).toEqual(["/", "/about"]);
    await visitor.leave();
  });

  test("an anchor is reached with focus after the page has been laid out", async () => {
    const visitor = await stack.visit({ before: chosen });
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("link", { name: "Read what a link records" }).click();
    await vi.waitFor(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("record"),
    );
    await visitor.leave();
  });

  test("on a small screen the menu opens, closes on Escape, and closes on arriving", async () => {
    const visitor = await stack.visit({ before: chosen, viewport: { width: 360, height: 700 } });
    const { page } = visitor;
    await page.goto("/");
    const menu = page.getByRole("button", { name: "Menu" });
    const about = page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "About" });
    expect(await about.isVisible()).toBe(false);
    await menu.click();
    await about.waitFor();
    await page.keyboard.press("Escape");
    await about.waitFor({ state: "hidden" });
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
    await menu.click();
    await about.click();
    await page.waitForURL("**/about");
    await about.waitFor({ state: "hidden" });
    await visitor.leave();
  });

  test.each(pages)("%s can be read and left without scripts", async (path) => {
    const visitor = await stack.visit({ javaScriptEnabled: false, language: "he" });
    const { page } = visitor;
    await page.goto(path);
    expect(await page.locator("main h1").innerText()).not.toBe("");
    await page.getByRole("button", { name: "English" }).click();
    await page.locator("html[lang=en]").waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await visitor.leave();
  });

  test("no link of the site leads nowhere", async () => {
    const visitor = await stack.visit({ before: chosen });
    const seen = new Set<string>();
    const waiting = ["/"];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      seen.add(path);
      await visitor.page.goto(path);
      const found = await visitor.page
        .locator('a[href^="/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      waiting.push(...new Set(found.filter((href) => !seen.has(href) && !waiting.includes(href))));
    }
    expect([...seen].toSorted()).toEqual(["/", "/about", "/cookie-policy", "/privacy"]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});
