import { chromium } from "playwright-core";
import { expect, it } from "vitest";

import { findChromium } from "./find-chromium.ts";

it.each(["npm", ""])('the browser asked for by "%s" starts and draws Hebrew', async (asked) => {
  const browser = await chromium.launch(findChromium(asked));
  try {
    const page = await browser.newPage();
    await page.setContent('<p dir="rtl"><span>שלום</span></p>');
    const box = await page.locator("span").boundingBox();
    const right = (box?.x ?? 0) + (box?.width ?? 0);
    expect(box?.width).toBeGreaterThan(20);
    expect(right).toBeGreaterThan((page.viewportSize()?.width ?? 0) - 20);
  } finally {
    await browser.close();
  }
});

it("a browser that is asked for and does not exist is an error, not another browser", () => {
  expect(() => findChromium("/nowhere/chromium")).toThrow("CHROMIUM_PATH");
});
