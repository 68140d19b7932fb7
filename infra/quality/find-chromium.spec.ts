import { chromium } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";

import { findChromium } from "./find-chromium.ts";

const Measured = z.object({ direction: z.string(), width: z.number() });

/** What a browser makes of a Hebrew page. */
async function rendered(asked: string): Promise<z.infer<typeof Measured>> {
  const browser = await chromium.launch(findChromium(asked));
  try {
    const page = await browser.newPage();
    await page.setContent('<p dir="rtl"><span>שלום</span></p>');
    // As text: this code runs in the browser, whose names Node's compiler does not know.
    const measured: unknown = await page.evaluate(`(() => {
      const span = document.querySelector("span");
      const { direction } = getComputedStyle(span);
      return { direction, width: span.getBoundingClientRect().width };
    })()`);
    return Measured.parse(measured);
  } finally {
    await browser.close();
  }
}

it("the browser from npm starts, whatever is installed", async () => {
  const { direction, width } = await rendered("npm");
  expect(direction).toBe("rtl");
  expect(width).toBeGreaterThan(20);
});

it("a browser starts where none is asked for", async () => {
  expect(await rendered("")).toMatchObject({ direction: "rtl" });
});

it("a browser that is asked for and not there is an error, not another browser", () => {
  expect(() => findChromium("/nowhere/chromium")).toThrow("CHROMIUM_PATH");
});
