import puppeteer, { type BrowserContext, type Page } from "puppeteer-core";

import { type BrowserSettings, firstPath, indexOf, type RunningBrowser, type Tab } from "./tab.ts";

const preferencesOf = ({ language, device }: BrowserSettings) => ({
  "intl.accept_languages": language === "he" ? "he-IL" : "en-US",
  "layout.css.prefers-color-scheme.content-override": device === "dark" ? 0 : 1,
  "ui.prefersReducedMotion": 1,
});

/** Runs first in each document: violations reach the console, which the driver reports. */
function reportViolations(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    // oxlint-disable-next-line no-console -- runs in the page, whose console the driver reports
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
  });
}

/** Firefox evaluates nothing for its driver when scripts are off, so none of the site arrives. */
async function refuseScripts(page: Page): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const script = new URL(request.url()).pathname.endsWith(".js");
    const decided = script ? request.abort() : request.continue();
    // The tab may have been closed meanwhile.
    decided.catch(() => undefined);
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

/** NS_BINDING_ABORTED: a document that is being left gives up what it still loads. */
const aborted = "status=2152398850";

/** The driver reports an error object as `JSHandle@error`, without its text. */
function collectFaults(page: Page): string[] {
  const faults: string[] = [];
  const add = (fault: string): void => {
    if (!fault.includes(aborted)) faults.push(fault);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") add(message.text());
  });
  page.on("pageerror", (error) => add(String(error)));
  return faults;
}

function tabOn(page: Page, origin: string): Tab {
  const faults = collectFaults(page);
  return {
    goto: async (path) => void (await page.goto(origin + path)),
    back: () => page.evaluate(() => history.back()),
    forward: () => page.evaluate(() => history.forward()),
    click: async (selector, name) => (await handleOf(page, selector, name)).click(),
    type: async (selector, text) => {
      await (await handleOf(page, selector)).focus();
      await page.keyboard.type(text);
    },
    choose: async (selector, value) => void (await page.select(selector, value)),
    press: (key) => page.keyboard.press(key === "Space" ? " " : key),
    evaluate: (inPage, ...values) => page.evaluate(inPage, ...values),
    cookies: async () =>
      (await page.browserContext().cookies()).map(({ name, value }) => ({ name, value })),
    resize: (width, height) => page.setViewport({ width, height }),
    faults: () => Promise.resolve(faults.splice(0)),
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
  let context: BrowserContext | undefined;
  return {
    open: async () => {
      await context?.close();
      context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.evaluateOnNewDocument(reportViolations);
      if (!settings.scripts) await refuseScripts(page);
      await page.goto(origin + firstPath);
      return tabOn(page, origin);
    },
    close: () => browser.close(),
  };
}
