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
export const sharedBrowser = (): Promise<Browser> => (launched ??= chromium.launch(findChromium()));

export type ContextSettings = BrowserContextOptions & { baseURL: string };

/**
 * Contexts of visits that have ended, by what they were opened with. A browser loads and compiles the code of the
 * pages anew for each new context: that was half of the time of a journey whose calls are answered.
 */
const kept = new Map<string, BrowserContext[]>();
const keyOf = (settings: ContextSettings): string => JSON.stringify(settings);

/** A context that another visit has left, or a new one; see {@link emptyStorage}. */
export async function takeContext(
  browser: Browser,
  settings: ContextSettings,
): Promise<BrowserContext> {
  return kept.get(keyOf(settings))?.pop() ?? (await browser.newContext(settings));
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
  await Promise.all(context.pages().map((page) => page.close()));
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
  await context.clearPermissions();
  if (settings.permissions !== undefined) await context.grantPermissions(settings.permissions);
  forgetAnswers(context);
  kept.set(keyOf(settings), [...(kept.get(keyOf(settings)) ?? []), context]);
}

/** Ends what the visits of a file have left open. */
export async function closeContexts(): Promise<void> {
  const waiting = [...kept.values()].flat();
  const left = ((await launched)?.contexts() ?? []).filter((context) => !waiting.includes(context));
  await Promise.all(left.map((context) => context.close()));
}
