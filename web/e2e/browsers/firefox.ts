import puppeteer, { type Page } from "puppeteer-core";

import { type BrowserSettings, indexOf, type RunningBrowser, type Tab } from "./tab.ts";

const preferencesOf = ({ language, device, scripts }: BrowserSettings) => ({
  "intl.accept_languages": language === "he" ? "he-IL" : "en-US",
  "javascript.enabled": scripts,
  "layout.css.prefers-color-scheme.content-override": device === "dark" ? 0 : 1,
  "ui.prefersReducedMotion": 1,
});

/** Runs first in each document: violations reach the console, which the driver reports. */
function reportViolations(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
  });
}

async function handleOf(page: Page, selector: string, name?: string) {
  const index = await indexOf(
    (inPage, ...values) => page.evaluate(inPage, ...values),
    selector,
    name,
  );
  const handle = (await page.$$(selector))[index];
  if (handle === undefined) throw new Error(`Gone: ${selector} ${name ?? ""}`);
  return handle;
}

function collectFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  return faults;
}

function tabOn(page: Page, origin: string, close: () => Promise<void>): Tab {
  const faults = collectFaults(page);
  return {
    goto: async (path) => void (await page.goto(origin + path)),
    back: async () => void (await page.goBack()),
    forward: async () => void (await page.goForward()),
    click: async (selector, name) => (await handleOf(page, selector, name)).click(),
    type: async (selector, text) => {
      await (await handleOf(page, selector)).focus();
      await page.keyboard.type(text);
    },
    choose: async (selector, value) => void (await page.select(selector, value)),
    press: (key) => page.keyboard.press(key),
    evaluate: (inPage, ...values) => page.evaluate(inPage, ...values),
    cookies: async () =>
      (await page.browserContext().cookies()).map(({ name, value }) => ({ name, value })),
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    faults: () => Promise.resolve(faults.splice(0)),
    close,
  };
}

/** Starts Firefox without a window, driven over WebDriver BiDi. */
export async function startFirefox(
  executablePath: string,
  origin: string,
  settings: BrowserSettings,
): Promise<RunningBrowser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    extraPrefsFirefox: preferencesOf(settings),
  });
  let current: Tab | undefined;
  return {
    open: async () => {
      await current?.close();
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.evaluateOnNewDocument(reportViolations);
      current = tabOn(page, origin, async () => {
        current = undefined;
        await context.close();
      });
      return current;
    },
    close: () => browser.close(),
  };
}
