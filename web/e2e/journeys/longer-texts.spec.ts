import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Language, type Stack, type Visitor } from "../fixtures.ts";
import { clippedTexts, lengthenTexts, spilledTexts } from "../lengthened-text.ts";
import { overflowFaults } from "../page-faults.ts";
import { startStack } from "../products.ts";
import { consentGiven, sitePaths } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

describe.each(["en", "he"] as const)("texts longer by 40 % than in %s", (language: Language) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await stack.visit({ language, before: consentGiven });
  });
  afterAll(() => visitor.leave());

  test.each(sitePaths)("fit on %s at every width", async (path) => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visitor.open(path);
    await lengthenTexts(page);
    const faults: string[] = [];
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const found = [
        ...(await overflowFaults(page)),
        ...(await clippedTexts(page)),
        ...(await spilledTexts(page)),
      ];
      faults.push(...found.map((fault) => `${width} px: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test("fit in the open menu of a small screen and in the cookie settings", async () => {
    const { page } = visitor;
    const { shell } = texts[language];
    await page.setViewportSize({ width: 320, height: 800 });
    await visitor.open("/");
    await page.getByRole("button", { name: shell.nav.menu, exact: true }).click();
    await lengthenTexts(page);
    expect(await overflowFaults(page)).toEqual([]);
    await visitor.open("/");
    await page.getByRole("button", { name: shell.footer.cookieSettings }).last().click();
    await page.getByRole("dialog").waitFor();
    await lengthenTexts(page);
    expect([...(await overflowFaults(page)), ...(await clippedTexts(page))]).toEqual([]);
    const dialog = page.locator("dialog");
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });
});
