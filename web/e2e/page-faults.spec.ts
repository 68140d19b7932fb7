import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { closeContexts, sharedBrowser } from "./kept-contexts.ts";
import { clippedTexts, lengthenTexts, spilledTexts } from "./lengthened-text.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "./page-faults.ts";

/** Tests the checks themselves: a check that finds nothing would pass every page. */
let page: Page;
beforeAll(async () => {
  const browser = await sharedBrowser();
  page = await browser.newPage({ viewport: { width: 360, height: 640 } });
});
afterAll(() => closeContexts());

async function show(body: string, direction = "ltr"): Promise<void> {
  await page.setContent(
    `<!doctype html><html lang="en" dir="${direction}"><title>Planted</title><main><h1>A page</h1>${body}</main></html>`,
  );
  await page.evaluate(faultFinder);
}

test("a sound page has no fault", async () => {
  await show(`<p>Read the <a href="#terms">terms</a> before.</p>
    <button style="min-width: 44px; min-height: 44px">Send</button>`);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflowFaults(page)).toEqual([]);
  expect(await targetFaults(page)).toEqual([]);
  expect([...(await clippedTexts(page)), ...(await spilledTexts(page))]).toEqual([]);
});

test("what axe refuses is found, text with too little contrast among it", async () => {
  await show(`<p style="color: #999; background: #fff">faint</p><h3>Gap</h3>`);
  const found = await accessibilityFaults(page);
  expect(found.some((fault) => fault.startsWith("color-contrast"))).toBe(true);
  expect(found.some((fault) => fault.startsWith("heading-order"))).toBe(true);
});

test.each(["ltr", "rtl"])("what reaches beyond the window is named, in %s", async (direction) => {
  await show(`<div class="wide" style="width: 500px">wide</div>`, direction);
  expect((await overflowFaults(page)).join()).toContain("div.wide");
});

test("a target too small to be hit is found and named", async () => {
  await show(`<nav><a href="#a" style="font-size: 12px">x</a></nav>`);
  expect(await targetFaults(page)).toHaveLength(1);
});

test("texts grow by two fifths, and what no longer fits its control is found", async () => {
  await show(`<p id="text">Twelve words or so of a text that is about to grow now</p>
    <button style="width: 70px; white-space: nowrap; overflow: hidden">Send it</button>
    <button style="width: 70px; white-space: nowrap">Send me</button>`);
  const length = () => page.locator("#text").evaluate(({ textContent }) => textContent.length);
  const before = await length();
  await lengthenTexts(page);
  expect((await length()) / before).toBeGreaterThanOrEqual(1.4);
  expect(await page.locator("#text").innerText()).toMatch(/^⟦.*⟧$/u);
  expect(await clippedTexts(page)).toHaveLength(1);
  expect(await spilledTexts(page)).not.toEqual([]);
});
