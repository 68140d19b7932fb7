import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { banner, button, consentTexts, dialog, eventually, stored } from "../consent-page.ts";
import { type Stack, startPages, type Visitor, type VisitorOptions } from "../fixtures.ts";
import { routeReports } from "../forced-answers.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function visit(options?: VisitorOptions): Promise<Visitor> {
  const visitor = await stack.visit({ ...options, fresh: true });
  await routeReports(visitor.page);
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
