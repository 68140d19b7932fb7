import { expect, inject, vi } from "vitest";

import { MailBox } from "../mail-box.ts";
import type {} from "../product.global-setup.ts";
import type { OperatedStack } from "../products.ts";
import { startFirefox } from "./firefox.ts";
import { type Engine, findFirefox, findWebkit } from "./installed-browsers.ts";
import type { BrowserSettings, RunningBrowser, Tab } from "./tab.ts";
import { startWebkit } from "./webkit.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Drives the journeys of this project. */
    engine: Engine;
  }
}

/** A tab, and what journeys wait for and look at in it. */
export type Visitor = Tab & {
  /** Opens a page and waits for its first report, which is sent after hydration. */
  open: (path: string) => Promise<void>;
  /** Waits until the address has this path. */
  arrivedAt: (path: string) => Promise<void>;
  /** Texts of the visible elements that match. */
  texts: (selector: string) => Promise<string[]>;
  /** Waits until exactly these texts are visible. */
  shows: (selector: string, ...expected: readonly string[]) => Promise<void>;
  /** Waits until nothing visible matches. */
  hides: (selector: string) => Promise<void>;
  hasFocus: (selector: string) => Promise<void>;
  /** Presses Tab until the element has focus. */
  tabTo: (selector: string) => Promise<void>;
};

export type Site = {
  /** A newcomer; `decided` has rejected analytics before. */
  visit: (options?: { decided?: boolean }) => Promise<Visitor>;
  /** All mails that the platform has sent. */
  mail: MailBox;
  close: () => Promise<void>;
};

export const eventually = <Value>(check: () => Promise<Value> | Value): Promise<Value> =>
  vi.waitFor(check, { timeout: 15_000, interval: 50 });

/** Runs in the page, as all below: the start of a visit is reported, or the view of a page. */
const hasReported = (): boolean =>
  performance
    .getEntriesByType("resource")
    .some(({ name }) => /\/(session\/start|track\/(?:pageview|events))$/u.test(name));

function visibleTexts(selector: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.innerText.trim());
}

function decide(): void {
  localStorage.setItem("cookieConsentGiven", "true");
  const preferences = { essential: true, analytics: false, doNotTrack: false };
  localStorage.setItem("cookiePreferences", JSON.stringify(preferences));
}

const focusMatches = (selector: string): boolean =>
  document.activeElement?.matches(selector) === true;

const focusNow = (): string =>
  `${location.pathname}: ${document.activeElement?.outerHTML.slice(0, 120) ?? "nothing"}`;

function visitorIn(tab: Tab): Visitor {
  const texts = (selector: string): Promise<string[]> => tab.evaluate(visibleTexts, selector);
  return {
    ...tab,
    open: async (path) => {
      await tab.goto(path);
      await eventually(async () => expect(await tab.evaluate(hasReported)).toBe(true));
    },
    arrivedAt: (path) =>
      eventually(async () => {
        const shown = await tab.evaluate(() => document.querySelector("main")?.innerText ?? "");
        expect(await tab.evaluate(() => location.pathname), `shows ${shown}`).toBe(path);
      }),
    texts,
    shows: (selector, ...expected) =>
      eventually(async () => expect(await texts(selector)).toEqual(expected)),
    hides: (selector) => eventually(async () => expect(await texts(selector)).toEqual([])),
    hasFocus: (selector) =>
      eventually(async () => {
        const now = await tab.evaluate(focusNow);
        expect(await tab.evaluate(focusMatches, selector), `focus on ${now}`).toBe(true);
      }),
    tabTo: async (selector) => {
      for (let presses = 0; presses < 80; presses++) {
        await tab.press("Tab");
        if (await tab.evaluate(focusMatches, selector)) return;
      }
      throw new Error(`Not reached by Tab: ${selector}`);
    },
  };
}

/** Nothing may have gone wrong in the tab since the last call, besides what is announced. */
export async function expectNoFaults(tab: Tab, announced?: RegExp): Promise<void> {
  const faults = await tab.faults();
  expect(faults.filter((fault) => announced?.test(fault) !== true)).toEqual([]);
}

function startBrowser(origin: string, settings: BrowserSettings): Promise<RunningBrowser> {
  if (inject("engine") === "firefox") {
    const program = findFirefox();
    if (program !== undefined) return startFirefox(program, origin, settings);
  } else {
    const programs = findWebkit();
    if (programs !== undefined) return startWebkit(programs, origin, settings);
  }
  throw new Error(`${inject("engine")} is no longer installed`);
}

function shared(): Pick<OperatedStack, "origin" | "mail"> {
  const { origin, mailUrl } = inject("product");
  return { origin, mail: new MailBox(mailUrl) };
}

/** The product that journeys share, or one that a journey started, in a browser of this language. */
export async function openSite(
  settings: Pick<BrowserSettings, "language"> & Partial<BrowserSettings>,
  own?: Pick<OperatedStack, "origin" | "mail">,
): Promise<Site> {
  const { origin, mail } = own ?? shared();
  const browser = await startBrowser(origin, { device: "light", scripts: true, ...settings });
  return {
    visit: async ({ decided = false } = {}) => {
      const tab = await browser.open();
      await tab.resize(1280, 800);
      if (decided) await tab.evaluate(decide);
      return visitorIn(tab);
    },
    mail,
    close: () => browser.close(),
  };
}
