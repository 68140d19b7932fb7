import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";

import { Builder, By, Capabilities, Key as Keys, type WebDriver } from "selenium-webdriver";
import { vi } from "vitest";

import { choosePort } from "../../../infra/embedded/ports.ts";
import type { WebkitPrograms } from "./installed-browsers.ts";
import {
  type BrowserSettings,
  firstPath,
  indexOf,
  type Key,
  type RunningBrowser,
  type Tab,
} from "./tab.ts";
import { endChild, makeDesktop, startDisplay } from "./webkit-desktop.ts";
import { evaluateIn, standStill, takeFaults } from "./webkit-page.ts";

const keys: Record<Key, string> = {
  Tab: Keys.TAB,
  Enter: Keys.ENTER,
  Escape: Keys.ESCAPE,
  Space: Keys.SPACE,
  ArrowLeft: Keys.ARROW_LEFT,
  ArrowRight: Keys.ARROW_RIGHT,
  ArrowUp: Keys.ARROW_UP,
  ArrowDown: Keys.ARROW_DOWN,
};

const patience = { timeout: 10_000, interval: 20 };

function tabOn(driver: WebDriver, origin: string): Tab {
  const kept: string[] = [];
  const evaluate: Tab["evaluate"] = (inPage, ...values) => evaluateIn(driver, inPage, values);
  const elementAt = async (selector: string, name?: string) => {
    const index = await indexOf(evaluate, selector, name);
    const element = (await driver.findElements(By.css(selector)))[index];
    if (element === undefined) throw new Error(`Gone: ${selector} ${name ?? ""}`);
    return element;
  };
  /** A press goes to where the element was when the driver asked: it must stand still by then. */
  const click: Tab["click"] = async (selector, name) => {
    const index = await indexOf(evaluate, selector, name);
    await evaluate(standStill, selector, String(index));
    await (await elementAt(selector, name)).click();
  };
  const resize = async (width: number, height: number): Promise<void> => {
    const frame = await evaluate(() => [outerWidth - innerWidth, outerHeight - innerHeight]);
    const [across = 0, down = 0] = frame;
    await driver
      .manage()
      .window()
      .setRect({ width: width + across, height: height + down });
    await vi.waitFor(async () => {
      const actual = await evaluate(() => innerWidth);
      if (actual !== width) throw new Error(`${actual} instead of ${width} pixels wide`);
    }, patience);
  };
  const collect = async () => {
    const { faults, ...facts } = await evaluate(takeFaults);
    kept.push(...faults);
    return facts;
  };
  /** Watches a new document as early as the driver can, and waits until it has loaded. */
  const goto = async (path: string): Promise<void> => {
    await collect();
    await driver.get(origin + path);
    let arrived = false;
    await vi.waitFor(
      async () => {
        const { isNew, loaded } = await collect();
        arrived ||= isNew;
        if (!arrived || !loaded) throw new Error(`Not loaded: ${path}`);
      },
      { timeout: 20_000, interval: 2 },
    );
  };
  /** The document may be another one afterwards. */
  const travel = async (leave: () => void): Promise<void> => {
    await collect();
    await evaluate(leave);
    await collect();
  };
  return {
    goto,
    back: () => travel(() => history.back()),
    forward: () => travel(() => history.forward()),
    click,
    type: async (selector, text) => (await elementAt(selector)).sendKeys(text),
    choose: async (selector, value) => {
      const list = await elementAt(selector);
      await list.findElement(By.css(`option[value="${value}"]`)).click();
    },
    press: (key) => driver.actions().sendKeys(keys[key]).perform(),
    evaluate,
    cookies: async () =>
      (await driver.manage().getCookies()).map(({ name, value }) => ({ name, value })),
    resize,
    faults: async () => {
      await collect();
      return kept.splice(0);
    },
  };
}

/**
 * Opens the first address. MiniBrowser may replace it by its own empty page: then it is repeated,
 * each time with another query, so that no earlier load is still to come. Each repetition waits longer:
 * it ends the load before, and a busy machine needs longer than three seconds for one.
 */
async function openFirst(driver: WebDriver, address: string): Promise<void> {
  let attempts = 0;
  await vi.waitFor(
    async () => {
      attempts += 1;
      const latest = `${address}?${attempts}`;
      await driver.get(latest);
      await vi.waitFor(
        async () => {
          const shown = await evaluateIn(driver, () => location.href, []);
          if (shown !== latest) throw new Error(`${shown} instead of ${latest}`);
        },
        { timeout: 3_000 * attempts, interval: 20 },
      );
    },
    { timeout: 45_000, interval: 20 },
  );
}

/** Starts WebKitGTK's driver on a virtual screen of its own; each tab is a MiniBrowser. */
export async function startWebkit(
  programs: WebkitPrograms,
  origin: string,
  settings: BrowserSettings,
): Promise<RunningBrowser> {
  const display = await startDisplay(programs.display);
  const { home, environment } = await makeDesktop(display.name, settings);
  const port = await choosePort();
  const server = spawn(programs.driver, ["--host=127.0.0.1", `--port=${port}`], {
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const address = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${address}/status`), patience);
  let current: WebDriver | undefined;
  const closeTab = async (): Promise<void> => {
    await current?.quit();
    current = undefined;
  };
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    // A page is watched while it loads.
    pageLoadStrategy: "none",
    "webkitgtk:browserOptions": {
      binary: programs.browser,
      args: ["--automation", `--enable-javascript-markup=${settings.scripts}`],
    },
  });
  return {
    open: async () => {
      await closeTab();
      current = await new Builder().usingServer(address).withCapabilities(capabilities).build();
      await openFirst(current, origin + firstPath);
      return tabOn(current, origin);
    },
    close: async () => {
      try {
        await closeTab();
      } finally {
        await endChild(server);
        await endChild(display.server);
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
