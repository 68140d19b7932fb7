import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  type Language,
  type Stack,
  startPages,
  type Visitor,
  type VisitorOptions,
} from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

/** Script that records the delays of timers, when they start and when they have run. */
const timers = `window.started = []; window.ran = [];
  const later = window.setTimeout;
  window.setTimeout = (run, delay, ...rest) => {
    window.started.push(delay);
    return later((...values) => { run(...values); window.ran.push(delay); }, delay, ...rest);
  };`;
/** Delay before an anchor is scrolled to (specification §9). */
const anchorDelayMs = 100;

type Arrival = Pick<VisitorOptions, "language" | "before" | "loadsAhead">;

async function arrive(path: string, { before = "", ...options }: Arrival = {}) {
  const visitor = await stack.visit({
    ...options,
    before: `${consentGiven}${before}`,
    fresh: true,
  });
  await takeReports(visitor.page);
  await visitor.open(path);
  return visitor;
}

const delays = async (page: Page, which: "started" | "ran"): Promise<number[]> =>
  z.array(z.number().nullish().transform(Number)).parse(await page.evaluate(`window.${which}`));

const patience = { timeout: 10_000, interval: 20 };
const footerLink = (page: Page, path: string) =>
  page.getByRole("contentinfo").locator(`a[href="${path}"]`).first();
const heading = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });

/**
 * Whether code and texts of the pricing page were asked for; true when they run. A request that is
 * intercepted does not see the browser's cache, so that a file alone is not enough.
 */
const pricingIsKept = `(async () => {
  const kept = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = ["pricing-page", "pricing"].map((name) =>
    kept.find((url) => new RegExp("/assets/" + name + "-.{7}[.]js$").test(url)));
  if (files.includes(undefined)) return false;
  await Promise.all(files.map((url) => import(url)));
  return true;
})()`;

describe("a page that is about to be opened", () => {
  test.each(["hover", "focus", "touchstart"] as const)(
    "is fetched on %s of its link",
    async (sign) => {
      const visitor = await arrive("/privacy", { loadsAhead: true });
      const { page } = visitor;
      const link = footerLink(page, "/pricing");
      await (sign === "touchstart" ? link.dispatchEvent(sign) : link[sign]());
      await vi.waitFor(async () => expect(await page.evaluate(pricingIsKept)).toBe(true), patience);
      await page.route("**/assets/**", (route) => route.abort());
      await page.evaluate("window.sameDocument = true");
      await link.click();
      await vi.waitFor(async () => expect(await page.title()).toContain("Pricing"), patience);
      // A page whose code is missing is asked from the server as a whole.
      expect(await page.evaluate("window.sameDocument")).toBe(true);
      await visitor.leave();
    },
  );

  test("is not fetched early where the visitor saves data", async () => {
    const visitor = await arrive("/privacy");
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await footerLink(page, "/pricing").focus();
    await footerLink(page, "/about").hover();
    expect(await page.evaluate(() => fetch("/robots.txt").then(({ ok }) => ok))).toBe(true);
    expect(asked.filter((url) => url.includes("/assets/"))).toEqual([]);
    await visitor.leave();
  });
});

test("while a page loads the old one stays, and a bar shows that it loads", async () => {
  const visitor = await arrive("/privacy");
  const { page } = visitor;
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/about-page/, async (route) => {
    await released;
    await route.continue();
  });
  const before = await heading(page).innerText();
  await footerLink(page, "/about").click();
  await page.waitForURL("**/about");
  await page.getByRole("progressbar", { name: texts.en.shell.loading }).waitFor();
  // Styles keep it out of sight of a navigation that is quick.
  const delay = page
    .locator(".navigation-progress")
    .evaluate((bar) => getComputedStyle(bar).animationDelay);
  expect(await delay).toBe("0.2s");
  expect(await heading(page).innerText()).toBe(before);
  release(undefined);
  await page.getByRole("heading", { level: 1, name: texts.en.about.title }).waitFor();
  expect(await page.getByRole("progressbar").count()).toBe(0);
  await visitor.leave();
});

describe("a page whose code is gone", () => {
  async function arriveWithout(name: string, language: Language) {
    const visitor = await arrive("/privacy", { language });
    const requests: string[] = [];
    const documents: string[] = [];
    await visitor.page.route(new RegExp(`/assets/${name}-page-[^/]+\\.js$`), (route) => {
      requests.push(route.request().url());
      return route.fulfill({ status: 404, body: "" });
    });
    visitor.page.on("request", (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
    });
    return { visitor, page: visitor.page, requests, documents };
  }

  test.each<Language>(["en"])(
    "in %s is asked for a few times, then its address is loaded once",
    async (language) => {
      const { visitor, page, requests, documents } = await arriveWithout("about", language);
      const failures: string[] = [];
      page.on("pageerror", ({ message }) => failures.push(message));
      await footerLink(page, "/about").click();
      await vi.waitFor(() => expect(documents).toEqual(["/about"]), patience);
      // Until its document has arrived, the page before has a heading too.
      await page.getByRole("heading", { level: 1, name: texts[language].about.title }).waitFor();
      // The new document asks in vain too; then it stays as the server drew it.
      await vi.waitFor(() => expect(failures).toHaveLength(1), patience);
      expect(failures[0]).toContain("about-page");
      expect(documents).toEqual(["/about"]);
      expect(requests.length).toBeLessThanOrEqual(8);
      await visitor.leave();
    },
  );

  test.each<Language>(["he"])(
    "in %s is a designed page without a connection, and the next page opens",
    async (language) => {
      const { failure } = texts[language].shell;
      const { visitor, page, requests, documents } = await arriveWithout("about", language);
      await page.evaluate(() => Object.defineProperty(navigator, "onLine", { value: false }));
      await footerLink(page, "/about").click();
      await page.getByRole("heading", { level: 1, name: failure.title }).waitFor();
      expect(documents).toEqual([]);
      expect(await page.title()).toContain(failure.title);
      expect(await page.getByRole("button", { name: failure.again }).isVisible()).toBe(true);
      const count = requests.length;
      await footerLink(page, "/contact").click();
      await page.waitForURL("**/contact");
      await vi.waitFor(
        async () => expect(await heading(page).innerText()).not.toBe(failure.title),
        patience,
      );
      // The same page may be tried again, and is asked for a few times only.
      await footerLink(page, "/about").click();
      await page.getByRole("heading", { level: 1, name: failure.title }).waitFor();
      expect(requests.length).toBeLessThanOrEqual(count + 8);
      await visitor.leave();
    },
  );
});

describe("positions", () => {
  const top = ({ page }: Visitor): Promise<number> => page.evaluate(() => Math.round(scrollY));

  test("are restored by back and forward, also at an address with an anchor", async () => {
    const visitor = await arrive("/terms#plans", { before: timers });
    const { page } = visitor;
    await vi.waitFor(
      async () => expect(await delays(page, "ran")).toContain(anchorDelayMs),
      patience,
    );
    await page.evaluate(() => window.scrollTo(0, 2_345));
    await vi.waitFor(async () => expect(await top(visitor)).toBe(2_345), patience);
    await page.evaluate(() =>
      document.querySelector<HTMLElement>("footer a[href='/about']")?.click(),
    );
    await page.getByRole("heading", { level: 1, name: texts.en.about.title }).waitFor();
    await vi.waitFor(async () => expect(await top(visitor)).toBe(0), patience);
    const before = (await delays(page, "started")).length;
    await page.evaluate(() => {
      // The page is left before a frame has reported the scrolling, as on a busy device.
      const ended = new AbortController();
      window.addEventListener("scroll", (event) => event.stopImmediatePropagation(), {
        capture: true,
        signal: ended.signal,
      });
      window.addEventListener("test:arrived", () => ended.abort(), { once: true });
      window.scrollTo(0, 400);
      history.back();
    });
    await page.waitForURL("**/terms#plans");
    await vi.waitFor(async () => expect(await top(visitor)).toBe(2_345), patience);
    expect((await delays(page, "started")).slice(before)).not.toContain(anchorDelayMs);
    await page.evaluate(() => window.dispatchEvent(new Event("test:arrived")));
    await page.goForward();
    await vi.waitFor(async () => expect(await top(visitor)).toBe(400), patience);
    await visitor.leave();
  });
});

test("an anchor with a malformed escape is ignored", async () => {
  const visitor = await arrive("/terms#%E0%A4%A", { before: timers });
  const { page } = visitor;
  await vi.waitFor(
    async () => expect(await delays(page, "ran")).toContain(anchorDelayMs),
    patience,
  );
  expect(visitor.noise).toEqual([]);
  await visitor.leave();
});

test.each([
  ["no-preference", "smooth"],
  ["reduce", "auto"],
] as const)(
  "with %s for motion, a contents link scrolls %s and moves the focus",
  async (motion, behavior) => {
    const visitor = await arrive("/terms", {
      before: `window.scrolls = [];
      const scroll = Element.prototype.scrollIntoView;
      Element.prototype.scrollIntoView = function (options) {
        window.scrolls.push(options?.behavior);
        scroll.call(this, options);
      };`,
    });
    const { page } = visitor;
    await page.emulateMedia({ reducedMotion: motion });
    const link = page.locator(".legal__contents a").nth(4);
    const target = (await link.getAttribute("href"))?.slice(1);
    await link.click();
    await vi.waitFor(
      async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe(target),
      patience,
    );
    expect(await page.evaluate("window.scrolls")).toEqual([behavior]);
    expect(new URL(page.url()).hash).toBe(`#${target}`);
    await visitor.leave();
  },
);
