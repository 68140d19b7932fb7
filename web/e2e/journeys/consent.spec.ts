import { createHash } from "node:crypto";

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type Stack, startStack, type Visitor } from "../fixtures.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const texts = {
  en: {
    accept: "Accept all",
    reject: "Reject all",
    choose: "Choose in detail",
    settings: "Cookie settings",
    analytics: "Analytics",
    save: "Save my choice",
    about: "About",
  },
  he: {
    accept: "לאשר הכול",
    reject: "לדחות הכול",
    choose: "לבחור בפירוט",
    settings: "הגדרות עוגיות",
    analytics: "מדידה",
    save: "לשמור את הבחירה",
    about: "אודות",
  },
} as const;

const banner = (page: Page): Locator => page.locator(".consent-banner");
const dialog = (page: Page): Locator => page.getByRole("dialog");
const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 50 });

type Stored = { local: string[]; tab: string[]; cookies: string };
const stored = (page: Page): Promise<Stored> =>
  page.evaluate(() => ({
    local: Object.keys(localStorage).toSorted(),
    tab: Object.keys(sessionStorage),
    cookies: document.cookie,
  }));

async function openHome(visitor: Visitor): Promise<Page> {
  await visitor.page.goto("/");
  await banner(visitor.page).waitFor();
  return visitor.page;
}

async function rowsOf(anonymousStart: string): Promise<number> {
  return Number(await stack.ask(`SELECT count() FROM events WHERE page = '${anonymousStart}'`));
}

async function tabTo(page: Page, target: Locator, most: number): Promise<number> {
  for (let presses = 1; presses <= most; presses++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return presses;
  }
  throw new Error("not reached by Tab");
}

describe.each(["en", "he"] as const)("the banner in %s", (language) => {
  const say = texts[language];

  test("asks before anything about the visitor is stored or sent", async () => {
    const visitor = await stack.visit({ language });
    const page = await openHome(visitor);
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(await stored(page)).toEqual({ local: [], tab: [], cookies: "" });
    const { sessionId, ...view } = visitor.of("pageview")[0]?.body ?? {};
    expect(sessionId).toEqual(expect.any(String));
    expect(view).toEqual({ page: "/" });
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("offers to accept and to reject with the same element, size, style and effort", async () => {
    const visitor = await stack.visit({ language });
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
    const visitor = await stack.visit({ language });
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

describe("a visitor who rejects", () => {
  test("keeps only the choice, and is counted without a trace", async () => {
    const visitor = await stack.visit();
    const page = await openHome(visitor);
    await button(banner(page), texts.en.reject).press("Enter");
    await banner(page).waitFor({ state: "detached" });
    expect((await stored(page)).local).toEqual(["cookieConsentGiven", "cookiePreferences"]);
    const preferences = await page.evaluate(() => [
      localStorage.getItem("cookieConsentGiven"),
      localStorage.getItem("cookiePreferences"),
    ]);
    expect(preferences[0]).toBe("true");
    expect(JSON.parse(preferences[1] ?? "")).toMatchObject({
      essential: true,
      analytics: false,
      doNotTrack: false,
    });
    await page.goto("/privacy");
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    expect(await banner(page).count()).toBe(0);
    expect(visitor.of("consent")[0]?.body).toMatchObject({
      hasConsent: false,
      consentType: "none",
      method: "reject_all",
    });
    for (const { body } of visitor.calls) expect(body).not.toHaveProperty("eventId");
    await eventually(async () => {
      const counted = await stack.ask(
        `SELECT sum(page_views) FROM visits_without_consent_daily WHERE page = '/privacy'`,
      );
      expect(Number(counted)).toBe(1);
    });
    expect(await rowsOf("/privacy")).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe("a visitor who accepts", () => {
  let visitor: Visitor;
  let page: Page;
  let shown: string;
  beforeAll(async () => {
    visitor = await stack.visit({ language: "he" });
    page = await openHome(visitor);
    const parts = await banner(page).locator("h2, p, button, a").allInnerTexts();
    shown = parts.join("\n");
    await button(banner(page), texts.he.accept).click();
    await banner(page).waitFor({ state: "detached" });
  });
  afterAll(() => visitor.leave());

  test("has a session with its pages in ClickHouse within two seconds", async () => {
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    await page.getByRole("link", { name: texts.he.about }).first().click();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(3));
    const sessions = `SELECT session_id FROM events WHERE page = '/about'`;
    await vi.waitFor(
      async () => {
        const pages = await stack.ask(
          `SELECT page FROM events WHERE kind = 'page_view' AND session_id IN (${sessions}) ORDER BY occurred_at FORMAT TSV`,
        );
        expect(pages.split("\n")).toEqual(["/", "/about"]);
      },
      { timeout: 2000, interval: 50 },
    );
    expect(visitor.noise).toEqual([]);
  });

  test("is recognised by ids that appeared only now", async () => {
    const { local, tab } = await stored(page);
    expect(local).toEqual([
      "analytics-storage",
      "anonymousId",
      "cookieConsentGiven",
      "cookiePreferences",
    ]);
    expect(tab).toEqual(["analytics-session"]);
  });

  test("goes on with the same session after a reload", async () => {
    const before = visitor.of("pageview").at(-1)?.body["sessionId"];
    const count = visitor.of("pageview").length;
    await page.reload();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(count + 1));
    expect(visitor.of("pageview").at(-1)?.body["sessionId"]).toBe(before);
    expect(visitor.of("start")).toHaveLength(1);
  });

  test("holds a receipt that proves which text was shown", async () => {
    await button(page, texts.he.settings).click();
    const receipt = dialog(page).locator(".consent-settings__receipt a");
    const href = await receipt.getAttribute("href");
    const proof: unknown = await (await fetch(`${stack.origin}${href}`)).json();
    expect(proof).toMatchObject({
      decision: "granted",
      method: "accept_all",
      notice: { language: "he", textHash: createHash("sha256").update(shown).digest("hex") },
    });
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    const back = button(page, texts.he.settings);
    expect(await back.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("withdraws in two steps from any page, and is forgotten at once", async () => {
    // Consent still applies to this press, so it is recorded; nothing after it may be.
    const recorded = page.waitForResponse((answer) => answer.url().endsWith("/track/click"));
    await button(page, texts.he.settings).click();
    await recorded;
    const withdrawing = Date.now();
    await button(dialog(page), texts.he.reject).click();
    await dialog(page).waitFor({ state: "detached" });
    expect((await stored(page)).local).toEqual(["cookieConsentGiven", "cookiePreferences"]);
    expect((await stored(page)).tab).toEqual([]);
    await page.locator(".header__home").click();
    await eventually(() => expect(visitor.of("start")).toHaveLength(2));
    await eventually(() => expect(visitor.of("pageview").at(-1)?.body["page"]).toBe("/"));
    expect(visitor.of("pageview").at(-1)?.body).not.toHaveProperty("eventId");
    const [first, second] = visitor.of("start");
    expect(second?.body["anonymousId"]).not.toBe(first?.body["anonymousId"]);
    await eventually(async () => {
      const withdrawn = await stack.ask(
        `SELECT sum(decisions) FROM consent_daily WHERE decision = 'withdrawn'`,
      );
      expect(Number(withdrawn)).toBe(1);
    });
    const later = `SELECT count() FROM events WHERE toUnixTimestamp64Milli(received_at) > ${withdrawing}`;
    expect(await stack.ask(later)).toBe("0");
  });
});

describe("the settings", () => {
  test("open over the banner; Escape leads back to it, the backdrop closes both", async () => {
    const visitor = await stack.visit();
    const page = await openHome(visitor);
    await button(banner(page), texts.en.choose).click();
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(await banner(page).isVisible()).toBe(true);
    await button(banner(page), texts.en.choose).click();
    await dialog(page).waitFor();
    await page.mouse.click(5, 5);
    await dialog(page).waitFor({ state: "detached" });
    await banner(page).waitFor({ state: "detached" });
    expect((await stored(page)).local).toEqual([]);
    await visitor.leave();
  });

  test("are chosen by keyboard alone, and keep Tab inside", async () => {
    const visitor = await stack.visit();
    const page = await openHome(visitor);
    await button(banner(page), texts.en.choose).press("Enter");
    await dialog(page).waitFor();
    const analytics = page.getByRole("switch", { name: texts.en.analytics });
    expect(await analytics.isChecked()).toBe(false);
    await tabTo(page, analytics, 4);
    await page.keyboard.press("Space");
    expect(await analytics.isChecked()).toBe(true);
    await tabTo(page, button(dialog(page), texts.en.save), 4);
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await banner(page).waitFor({ state: "detached" });
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
    const visitor = await stack.visit();
    const page = await openHome(visitor);
    await button(banner(page), texts.en.accept).click();
    await page.goto("/cookie-policy");
    await button(page.locator("main"), "Open cookie settings").click();
    await button(dialog(page), "Forget my choice and ask me again").click();
    await banner(page).waitFor();
    expect(await stored(page)).toMatchObject({ local: [], tab: [] });
    await visitor.leave();
  });
});

describe.each(["dnt", "gpc"] as const)("a browser that sends %s", (signal) => {
  test("is not asked, cannot be switched on, and shows the reason", async () => {
    const visitor = await stack.visit({ signal });
    const { page } = visitor;
    await page.goto("/");
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(await banner(page).count()).toBe(0);
    await button(page, texts.en.settings).click();
    expect(await dialog(page).innerText()).toContain("Your browser asks sites not to track you.");
    const analytics = page.getByRole("switch", { name: texts.en.analytics });
    expect(await analytics.isDisabled()).toBe(true);
    expect(await analytics.isChecked()).toBe(false);
    expect(await button(dialog(page), texts.en.accept).isDisabled()).toBe(true);
    await button(dialog(page), texts.en.save).click();
    const kept = await page.evaluate(() => localStorage.getItem("cookiePreferences"));
    expect(JSON.parse(kept ?? "")).toMatchObject({ analytics: false, doNotTrack: true });
    expect(visitor.calls.map(({ name }) => name)).toEqual(["start", "pageview"]);
    expect(visitor.of("start")[0]?.body).toEqual({ landingPage: "/" });
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

describe("when the browser refuses storage", () => {
  test("the visitor is asked, only the essential runs, and a choice holds for the page", async () => {
    const before = `for (const name of ['getItem','setItem','removeItem'])
      Storage.prototype[name] = () => { throw new DOMException('denied', 'SecurityError') }`;
    const visitor = await stack.visit({ before });
    const page = await openHome(visitor);
    await button(banner(page), texts.en.reject).click();
    await banner(page).waitFor({ state: "detached" });
    await page.getByRole("link", { name: texts.en.about }).first().click();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    expect(await banner(page).count()).toBe(0);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

test("leaving the site ends the session with the page that was left", async () => {
  const visitor = await stack.visit();
  const page = await openHome(visitor);
  await button(banner(page), texts.en.accept).click();
  await banner(page).waitFor({ state: "detached" });
  await page.goto("/cookie-policy");
  await eventually(() =>
    expect(visitor.of("pageview").at(-1)?.body["page"]).toBe("/cookie-policy"),
  );
  await page.goto("about:blank");
  await eventually(async () => {
    const exits = await stack.ask(
      `SELECT count() FROM events WHERE kind = 'session_end' AND page = '/cookie-policy'`,
    );
    expect(Number(exits)).toBe(1);
  });
  await visitor.leave();
});
