import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  banner,
  button,
  consentTexts,
  dialog,
  eventually,
  openHome,
  stored,
} from "../consent-page.ts";
import { type Stack, startPages, type Visitor, type VisitorOptions } from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(options?: VisitorOptions): Promise<Visitor> {
  const visitor = await stack.visit({ ...options });
  await takeReports(visitor.page);
  return visitor;
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Counts the frames in which the element is not on screen, from now on. */
const countFramesWithout = (target: Locator) =>
  target.evaluateHandle((element) => {
    const without = { count: 0 };
    const look = (): void => {
      if (!element.checkVisibility()) without.count += 1;
      requestAnimationFrame(look);
    };
    look();
    return without;
  });

async function tabTo(page: Page, target: Locator, most: number): Promise<number> {
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(target)) return presses;
  }
  throw new Error("not reached by Tab");
}

describe.each(["en", "he"] as const)("the banner in %s", (language) => {
  const say = consentTexts[language];

  test("asks before anything about the visitor is stored, or a page reported", async () => {
    const visitor = await visit({ language });
    const page = await openHome(visitor);
    await eventually(() => expect(visitor.of("start")).toHaveLength(1));
    expect(await stored(page)).toEqual({ local: [], tab: [], cookies: "" });
    expect(visitor.calls.map(({ name }) => name)).toEqual(["start"]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("offers to accept and to reject with the same element, size, style and effort", async () => {
    const visitor = await visit({ language });
    const page = await openHome(visitor);
    const look = (name: string) =>
      button(banner(page), name).evaluate((element) => {
        const { width, height } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const painted = [...style].map((property) => [property, style.getPropertyValue(property)]);
        let depth = 0;
        for (let up = element.parentElement; up !== null; up = up.parentElement) depth++;
        return { tag: element.tagName, width, height, depth, painted };
      });
    const [accept, reject] = [await look(say.accept), await look(say.reject)];
    const place = /^(inset|perspective-origin|transform-origin|left|right)/;
    const without = (side: typeof accept) => ({
      ...side,
      painted: side.painted.filter(([property = ""]) => !place.test(property)),
    });
    expect(without(accept)).toEqual(without(reject));
    expect(accept.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press("Tab");
    const toReject = await tabTo(page, button(banner(page), say.reject), 5);
    expect(toReject).toBeLessThanOrEqual(4);
    expect(await tabTo(page, button(banner(page), say.accept), 1)).toBe(1);
    await visitor.leave();
  });

  test("never holds the keyboard: Tab leads through it into the page", async () => {
    const visitor = await visit({ language });
    const page = await openHome(visitor);
    expect(await banner(page).getAttribute("role")).toBeNull();
    expect(await banner(page).evaluate((element) => element.tagName)).toBe("SECTION");
    await tabTo(page, page.locator(".header__home"), 12);
    await page.getByRole("link", { name: say.about }).first().click();
    await eventually(() => expect(new URL(page.url()).pathname).toBe("/about"));
    expect(await banner(page).isVisible()).toBe(true);
    await visitor.leave();
  });
});

describe("the settings", () => {
  test("open over the banner; Escape leads back to it, the backdrop closes both", async () => {
    const visitor = await visit();
    const page = await openHome(visitor);
    const choose = button(banner(page), consentTexts.en.choose);
    const framesWithout = await countFramesWithout(banner(page));
    await choose.press("Enter");
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(await hasFocus(choose)).toBe(true);
    expect(await framesWithout.evaluate(({ count }) => count)).toBe(0);
    await choose.click();
    await dialog(page).waitFor();
    await page.mouse.click(5, 5);
    await dialog(page).waitFor({ state: "detached" });
    await banner(page).waitFor({ state: "hidden" });
    expect((await stored(page)).local).toEqual([]);
    await visitor.leave();
  });

  test("are chosen by keyboard alone, and keep Tab inside", async () => {
    const visitor = await visit();
    const page = await openHome(visitor);
    await button(banner(page), consentTexts.en.choose).press("Enter");
    await dialog(page).waitFor();
    const analytics = page.getByRole("switch", { name: consentTexts.en.analytics });
    expect(await analytics.isChecked()).toBe(false);
    await tabTo(page, analytics, 4);
    await page.keyboard.press("Space");
    expect(await analytics.isChecked()).toBe(true);
    await tabTo(page, button(dialog(page), consentTexts.en.save), 4);
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await banner(page).waitFor({ state: "hidden" });
    await eventually(() =>
      expect(visitor.of("consent")[0]?.body).toMatchObject({
        hasConsent: true,
        method: "customise",
      }),
    );
    const focused = await page.evaluate(() => document.activeElement?.id);
    expect(focused).toBe("main");
    await visitor.leave();
  });

  test("open from the cookie policy, and a reset asks again", async () => {
    const visitor = await visit();
    const page = await openHome(visitor);
    await button(banner(page), consentTexts.en.accept).click();
    await page.goto("/cookie-policy");
    await button(page.locator("main"), "Open cookie settings").click();
    await button(dialog(page), "Forget my choice and ask me again").click();
    await banner(page).waitFor();
    expect(await stored(page)).toMatchObject({ local: [], tab: [] });
    await visitor.leave();
  });
});

describe("when the browser refuses storage", () => {
  test("the visitor is asked, only the essential runs, and a choice holds for the page", async () => {
    const before = `for (const name of ['getItem','setItem','removeItem'])
      Storage.prototype[name] = () => { throw new DOMException('denied', 'SecurityError') }`;
    const visitor = await visit({ before });
    const page = await openHome(visitor);
    await button(banner(page), consentTexts.en.reject).click();
    await banner(page).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: consentTexts.en.about }).first().click();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    expect(await banner(page).isVisible()).toBe(false);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});
