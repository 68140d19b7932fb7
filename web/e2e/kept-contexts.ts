import { isDeepStrictEqual } from "node:util";

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

import { findChromium } from "../../infra/quality/find-chromium.ts";
import { forgetAnswers } from "./answer-calls.ts";

let launched: Promise<Browser> | undefined;
/** One browser for all files of a worker, which share this module; it ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  const { args, ...found } = findChromium();
  launched ??= chromium.launch({ ...found, args: [...args, "--process-per-site"] });
  return launched;
}

export type ContextSettings = BrowserContextOptions & { baseURL: string };

/**
 * Contexts of visits that have ended, by what they were opened with. A browser loads and compiles the code of the
 * pages anew for each new context: that was half of the time of a journey whose calls are answered.
 */
let kept: { settings: ContextSettings; context: BrowserContext }[] = [];
/** Each has a process of its own. */
const keptMax = 8;

/**
 * A page of each kept context that stays open, beside those of its visits: their process ends with the last page of
 * the site, and a new one has to start and to compile the code of the pages again.
 */
const stays = new WeakSet<Page>();

/** A context that another visit has left, or a new one; see {@link emptyStorage}. */
export async function takeContext(
  browser: Browser,
  settings: ContextSettings,
): Promise<BrowserContext> {
  const waiting = kept.find((one) => isDeepStrictEqual(one.settings, settings));
  if (waiting !== undefined) {
    kept = kept.filter((one) => one !== waiting);
    return waiting.context;
  }
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  stays.add(page);
  await page.route("**", (route) => route.fulfill({ body: "" }));
  await page.goto("/");
  return context;
}

/** Removes what earlier visits have stored. @param page that has not been anywhere yet */
export async function emptyStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}

/** Keeps a context, without pages, answers, cookies and grants of its visit, for the next one. */
export async function keepContext(
  context: BrowserContext,
  settings: ContextSettings,
): Promise<void> {
  const visited = context.pages().filter((page) => !stays.has(page));
  await Promise.all(visited.map((page) => page.close()));
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
  await context.clearPermissions();
  if (settings.permissions !== undefined) await context.grantPermissions(settings.permissions);
  forgetAnswers(context);
  kept.push({ settings, context });
  if (kept.length > keptMax) await kept.shift()?.context.close();
}

/** Ends what the visits of a file have left open. @param ended origin that no later file visits */
export async function closeContexts(ended?: string): Promise<void> {
  kept = kept.filter(({ settings }) => settings.baseURL !== ended);
  const waiting = new Set(kept.map(({ context }) => context));
  const left = ((await launched)?.contexts() ?? []).filter((context) => !waiting.has(context));
  await Promise.all(left.map((context) => context.close()));
}
