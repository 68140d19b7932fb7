import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { directionOf } from "../../i18n/languages.ts";
import { documentName, type Look, shownColour, watchPaints } from "../first-paint.ts";
import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { startStack } from "../products.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

/** Language lists of a browser and the language that each selects (specification §9). */
const browsers = [
  { list: "en-US", asks: "en" },
  { list: "he-IL", asks: "he" },
  { list: "iw", asks: "he" },
  { list: "fr, he", asks: "he" },
] as const;
const kept = [undefined, "en", "he"] as const;
/** Theme chosen on the site and preference of the device. */
const themes = [
  { chosen: "light", device: "dark", shown: "light" },
  { chosen: "dark", device: "light", shown: "dark" },
  { chosen: "system", device: "light", shown: "light" },
  { chosen: "system", device: "dark", shown: "dark" },
] as const;
const canvas = { light: "#fcfaf6", dark: "#10141b" } as const;

type Case = { cookie: Language | undefined; storage: Language | undefined };
const cases = kept.flatMap((cookie) => kept.map((storage): Case => ({ cookie, storage })));

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

async function useLanguageList(page: Page, list: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await session.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: list });
}

/** Resets the browser to one stored language and theme. */
async function prepare(page: Page, { cookie, storage }: Case, theme: string): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  if (cookie !== undefined) {
    await context.addCookies([{ name: "preferred_language", value: cookie, url: stack.origin }]);
  }
  await page.evaluate(
    `localStorage.clear(); ${consentGiven}
     localStorage.setItem('theme-storage', JSON.stringify({ theme: '${theme}' }));
     ${storage === undefined ? "" : `localStorage.setItem('i18n_language', '${storage}')`}`,
  );
}

type Watched = { visitor: Visitor; seen: readonly Look[] };

async function watchedVisitor(list: string): Promise<Watched> {
  const visitor = await stack.visit({ fresh: true });
  const { page } = visitor;
  await useLanguageList(page, list);
  // Any page of the origin gives access to storage.
  await page.goto("/privacy");
  return { visitor, seen: await watchPaints(page) };
}

/** Opens the page and returns every look since then. */
async function open({ visitor, seen }: Watched, expected: Language): Promise<Look[]> {
  const { page } = visitor;
  const left = await documentName(page);
  const [from, starts] = [seen.length, visitor.of("start").length];
  await page.goto("/about", { waitUntil: "commit" });
  const looks = (): Look[] => seen.slice(from).filter((look) => look.document !== left);
  await vi.waitFor(
    () => {
      expect(visitor.of("start").length).toBeGreaterThan(starts);
      expect(looks().some(({ when, lang }) => when === "paint" && lang === expected)).toBe(true);
    },
    { timeout: 10_000, interval: 10 },
  );
  return looks();
}

/** Each of the cases meets each of the themes in one of the browsers, and each browser meets all themes. */
const lookedAt = (browser: number) =>
  cases.map((one, index) => ({ ...one, ...themeAt(browser + index) }));
function themeAt(place: number): (typeof themes)[number] {
  const [first] = themes;
  return themes[place % themes.length] ?? first;
}

describe.each(browsers)("a browser set to $list", ({ list, asks }) => {
  let watched: Watched;
  beforeAll(async () => {
    watched = await watchedVisitor(list);
  });
  afterAll(() => watched.visitor.leave());

  test.each(lookedAt(browsers.findIndex((one) => one.list === list)))(
    "with cookie $cookie, storage $storage, $chosen theme and a $device device shows one language and theme from the first paint",
    async ({ chosen, device, shown, ...one }) => {
      const { page } = watched.visitor;
      const expected = one.cookie ?? one.storage ?? asks;
      await page.emulateMedia({ colorScheme: device });
      await prepare(page, one, chosen);
      const looks = await open(watched, expected);
      const direction = directionOf(expected);
      const right = {
        lang: expected,
        dir: direction,
        rtl: direction === "rtl",
        theme: shown,
        background: looks[0]?.background,
      };
      for (const look of looks) expect(look).toMatchObject(right);
      expect(await shownColour(page, right.background ?? "")).toBe(canvas[shown]);
      const headings = new Set(looks.map(({ heading }) => heading).filter(Boolean));
      expect([...headings]).toEqual([texts[expected].about.title]);
      expect(watched.visitor.noise).toEqual([]);
    },
  );
});

describe("the language switch", () => {
  test("changes in place, is remembered, and is what the next page comes in", async () => {
    const visitor = await stack.visit({ before: consentGiven });
    const { page } = visitor;
    await visitor.open("/about");
    const answered = page.waitForResponse((response) => response.url().endsWith("/lang"));
    await page.getByRole("button", { name: texts.en.shell.language.he }).click();
    await page.locator("html[lang=he][dir=rtl] body.rtl").waitFor();
    expect(await page.title()).toContain(texts.he.about.meta.title);
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
