import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { banner, button, consentTexts, dialog, eventually, stored } from "../consent-page.ts";
import { type Stack, startPages, type Visitor, type VisitorOptions } from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(options?: VisitorOptions): Promise<Visitor> {
  const visitor = await stack.visit(options);
  await takeReports(visitor.page);
  return visitor;
}

/** Holds the application's code until the returned function is called. */
async function holdApplication({ page }: Visitor): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(undefined);
}

describe.each(["en", "he"] as const)("before the application has started, in %s", (language) => {
  const say = consentTexts[language];
  const phone = { width: 360, height: 640 };

  test("the banner leaves the call to action and most of a phone free", async () => {
    const visitor = await visit({ language, viewport: phone });
    await holdApplication(visitor);
    const { page } = visitor;
    await page.goto("/");
    await banner(page).waitFor();
    const box = await banner(page).boundingBox();
    const action = await page.locator("[data-track=hero-signup]").boundingBox();
    expect(box?.height).toBeLessThan(phone.height / 4);
    expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThan(box?.y ?? 0);
    await visitor.leave();
  });

  test("an answer hides the banner within 200 ms, and is recorded as one once it has", async () => {
    const visitor = await visit({ language, viewport: phone });
    const release = await holdApplication(visitor);
    const { page } = visitor;
    await page.goto("/");
    const tookMs = await button(banner(page), say.accept).evaluate(async (pressed: HTMLElement) => {
      const started = performance.now();
      pressed.click();
      while (pressed.checkVisibility()) await new Promise(requestAnimationFrame);
      return performance.now() - started;
    });
    expect(tookMs).toBeLessThan(200);
    expect((await stored(page)).local).toEqual([]);
    release();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(visitor.of("consent").map(({ body }) => body)).toMatchObject([
      { hasConsent: true, method: "accept_all", notice: { language } },
    ]);
    expect((await stored(page)).local).toContain("cookieConsentGiven");
    expect(await banner(page).isVisible()).toBe(false);
    await visitor.leave();
  });

  test("a visitor who answers and leaves is not asked again", async () => {
    const visitor = await visit({ language });
    const release = await holdApplication(visitor);
    const { page } = visitor;
    await page.goto("/");
    await button(banner(page), say.reject).click();
    await page.goto("/about");
    release();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(await banner(page).isVisible()).toBe(false);
    expect(visitor.of("start").map(({ body }) => body)).toEqual([{ landingPage: "/about" }]);
    await visitor.leave();
  });
});

test("Do Not Track of the window counts: no banner, and nothing about the visitor is sent", async () => {
  const visitor = await visit({
    before: "Object.defineProperty(window, 'doNotTrack', { value: '1' })",
  });
  const { page } = visitor;
  await page.goto("/");
  await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
  expect(await banner(page).isVisible()).toBe(false);
  expect(visitor.of("start")[0]?.body).toEqual({ landingPage: "/" });
  await visitor.leave();
});

test("settings whose code cannot be fetched open at the next press", async () => {
  const visitor = await visit();
  const { page } = visitor;
  let broken = true;
  await page.route("**/assets/consent-settings-*", (route) =>
    broken ? route.abort("internetdisconnected") : route.continue(),
  );
  await visitor.open("/");
  const failed = page.waitForEvent("requestfailed");
  const choose = button(banner(page), consentTexts.en.choose);
  await choose.click();
  await failed;
  broken = false;
  await eventually(async () => {
    if (!(await dialog(page).isVisible())) await choose.click({ timeout: 200 });
    expect(await dialog(page).isVisible()).toBe(true);
  });
  await visitor.leave();
});

test("an answer of 401 to reports leaves the visitor on the page, with the token", async () => {
  const visitor = await stack.visit({ before: "localStorage.setItem('token', 'bearer-1')" });
  const { page } = visitor;
  await page.route("**/api/analytics/**", (route) => route.fulfill({ status: 401, json: {} }));
  const answered = page.waitForResponse((answer) => answer.status() === 401);
  await page.goto("/about");
  await answered;
  await button(banner(page), consentTexts.en.accept).click();
  await page.waitForResponse((answer) => answer.status() === 401);
  expect(new URL(page.url()).pathname).toBe("/about");
  expect((await stored(page)).local).toContain("token");
  await visitor.leave();
});

test("two tabs: a decision in one closes the banner of the other, which joins its ids", async () => {
  const visitor = await visit();
  const other = await visitor.page.context().newPage();
  await takeReports(other);
  const sent: string[] = [];
  other.on("request", (request) => sent.push(request.url().split("/").at(-1) ?? ""));
  const arrived = other.waitForRequest("**/session/start");
  await other.goto("/about");
  await arrived;
  await visitor.open("/");
  await button(banner(visitor.page), consentTexts.en.accept).click();
  const joined = other.waitForRequest("**/track/pageview");
  await banner(other).waitFor({ state: "hidden" });
  expect((await joined).postDataJSON()).toMatchObject({
    page: "/about",
    title: expect.any(String),
  });
  expect(visitor.of("consent")).toHaveLength(1);
  await visitor.leave();
});
