import { createHash } from "node:crypto";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import {
  banner,
  button,
  consentTexts,
  dialog,
  eventually,
  openHome,
  stored,
} from "../consent-page.ts";
import { type Stack, type Visitor } from "../fixtures.ts";
import { startOwnStack } from "../products.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startOwnStack();
});
afterAll(() => stack.stop());

async function rowsOf(page: string): Promise<number> {
  return Number(
    await stack.ask(`SELECT count() FROM events WHERE page = '${page}' AND kind != 'measurement'`),
  );
}

/** Sessions and page views that were counted without consent. */
const countedAt = (page: string): Promise<string> =>
  stack.ask(
    `SELECT sum(sessions), sum(page_views) FROM visits_without_consent_daily WHERE page = '${page}'`,
  );

describe("a visitor who rejects", () => {
  test("keeps only the choice, and is counted without a trace", async () => {
    const visitor = await stack.visit();
    const page = await openHome(visitor);
    await button(banner(page), consentTexts.en.reject).press("Enter");
    await banner(page).waitFor({ state: "hidden" });
    await eventually(async () =>
      expect((await stored(page)).local).toEqual(["cookieConsentGiven", "cookiePreferences"]),
    );
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
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    await page.goto("/privacy");
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    expect(await banner(page).isVisible()).toBe(false);
    expect(visitor.of("consent")[0]?.body).toMatchObject({
      hasConsent: false,
      consentType: "none",
      method: "reject_all",
    });
    for (const { body } of visitor.calls) expect(body).not.toHaveProperty("eventId");
    const [, ...starts] = visitor.of("start").map(({ body }) => body);
    expect(starts).toEqual([{ landingPage: "/" }, { landingPage: "/privacy" }]);
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
    await button(banner(page), consentTexts.he.accept).click();
    await banner(page).waitFor({ state: "hidden" });
  });
  afterAll(() => visitor.leave());

  test("has a session with its pages in ClickHouse within two seconds", async () => {
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    await page.getByRole("link", { name: consentTexts.he.about }).first().click();
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(2));
    const sessions = `SELECT session_id FROM events WHERE page = '/about'`;
    // Two seconds are counted in questions, which load delays as it delays what they wait for.
    const interval = 50;
    let questions = 0;
    await vi.waitFor(
      async () => {
        questions += 1;
        const pages = await stack.ask(
          `SELECT page FROM events WHERE kind = 'page_view' AND session_id IN (${sessions}) ORDER BY occurred_at FORMAT TSV`,
        );
        expect(pages.split("\n")).toEqual(["/", "/about"]);
      },
      { timeout: 60_000, interval },
    );
    expect(questions).toBeLessThanOrEqual(2000 / interval);
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
    await button(page, consentTexts.he.settings).click();
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
    const back = button(page, consentTexts.he.settings);
    expect(await back.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("withdraws in two steps from any page, and is forgotten at once", async () => {
    // Consent still applies to this press, so it is recorded; nothing after it may be.
    const recorded = page.waitForResponse((answer) => /track.(?:click|events)$/.test(answer.url()));
    await button(page, consentTexts.he.settings).click();
    await recorded;
    const withdrawing = Date.now();
    await button(dialog(page), consentTexts.he.reject).click();
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

describe.each(["dnt", "gpc"] as const)("a browser that sends %s", (signal) => {
  test("is not asked, cannot be switched on, and shows the reason", async () => {
    const visitor = await stack.visit({ signal });
    const { page } = visitor;
    await page.goto("/");
    await eventually(() => expect(visitor.of("pageview")).toHaveLength(1));
    expect(await banner(page).isVisible()).toBe(false);
    await button(page, consentTexts.en.settings).click();
    expect(await dialog(page).innerText()).toContain("Your browser asks sites not to track you.");
    const analytics = page.getByRole("switch", { name: consentTexts.en.analytics });
    expect(await analytics.isDisabled()).toBe(true);
    expect(await analytics.isChecked()).toBe(false);
    expect(await button(dialog(page), consentTexts.en.accept).isDisabled()).toBe(true);
    await button(dialog(page), consentTexts.en.save).click();
    const kept = await page.evaluate(() => localStorage.getItem("cookiePreferences"));
    expect(JSON.parse(kept ?? "")).toMatchObject({ analytics: false, doNotTrack: true });
    expect(visitor.calls.map(({ name }) => name)).toEqual(["start", "pageview"]);
    expect(visitor.of("start")[0]?.body).toEqual({ landingPage: "/" });
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });
});

test("a newcomer who accepts is not counted as a visit without consent too", async () => {
  const visitor = await stack.visit();
  const { page } = visitor;
  await visitor.open("/terms");
  await button(banner(page), consentTexts.en.accept).click();
  // Start and view.
  await eventually(async () => expect(await rowsOf("/terms")).toBe(2));
  expect(await countedAt("/terms")).toBe("0\t0");
  await visitor.leave();
});

test("a visitor who leaves without a decision is counted once by page", async () => {
  const visitor = await stack.visit();
  const { page } = visitor;
  const started = page.waitForResponse((answer) => answer.url().endsWith("/session/start"));
  await visitor.open("/accessibility");
  await (await started).finished();
  await page.goto("about:blank");
  await eventually(async () => expect(await countedAt("/accessibility")).toBe("1\t1"));
  expect(await rowsOf("/accessibility")).toBe(0);
  await visitor.leave();
});

test("leaving the site ends the session with the page that was left", async () => {
  const visitor = await stack.visit();
  const page = await openHome(visitor);
  await button(banner(page), consentTexts.en.accept).click();
  await banner(page).waitFor({ state: "hidden" });
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
