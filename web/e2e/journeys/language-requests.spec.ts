import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Stack, startPages, type Visitor, type VisitorOptions } from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function arrive(path: string, options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await stack.visit({ before: consentGiven, ...options });
  await takeReports(visitor.page);
  await visitor.open(path);
  return visitor;
}

const shown = ({ page }: Visitor): Promise<string> =>
  page.evaluate(() => document.documentElement.lang);
const stored = async ({ page }: Visitor): Promise<(string | null | undefined)[]> => [
  (await page.context().cookies()).find(({ name }) => name === "preferred_language")?.value,
  await page.evaluate(() => localStorage.getItem("i18n_language")),
];

describe("a language in the address", () => {
  test.each(["he", "HE", "iw", "he-IL"])(
    "?lang=%s switches, is stored like a choice and leaves the address",
    async (tag) => {
      const visitor = await arrive(`/about?utm_source=a&lang=${tag}#story`);
      const { page } = visitor;
      expect(await shown(visitor)).toBe("he");
      expect(await stored(visitor)).toEqual(["he", "he"]);
      expect(page.url()).toBe(`${stack.origin}/about?utm_source=a#story`);
      await visitor.open("/privacy");
      expect(await shown(visitor)).toBe("he");
      expect(visitor.noise).toEqual([]);
      await visitor.leave();
    },
  );

  test("is beaten by a later choice, also after a reload", async () => {
    const visitor = await arrive("/about?lang=he");
    const { page } = visitor;
    await page.getByRole("button", { name: texts.he.shell.language.en }).click();
    await page.locator("html[lang=en]").waitFor();
    await page.reload();
    expect(await shown(visitor)).toBe("en");
    expect(await stored(visitor)).toEqual(["en", "en"]);
    await visitor.leave();
  });

  test.each(["xx", "", "hebrew"])("that is none, ?lang=%s, changes nothing", async (tag) => {
    const visitor = await arrive(`/about?lang=${tag}`);
    expect(await shown(visitor)).toBe("en");
    expect(await stored(visitor)).toEqual([undefined, null]);
    await visitor.leave();
  });

  test("works without scripts, and stays on the next page", async () => {
    const visitor = await stack.visit({ javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto("/about?lang=iw");
    await page.goto("/privacy");
    expect(await page.locator("html").getAttribute("lang")).toBe("he");
    await visitor.leave();
  });
});

describe("a stored language", () => {
  test.each(["iw", "HE", "he-IL"])("%s is Hebrew, in storage and in the cookie", async (tag) => {
    const before = `${consentGiven} localStorage.setItem('i18n_language', '${tag}')`;
    const visitor = await arrive("/about", { before });
    expect(await shown(visitor)).toBe("he");
    await visitor.leave();
    const other = await stack.visit({ before: consentGiven });
    await other.page
      .context()
      .addCookies([{ name: "preferred_language", value: tag, url: stack.origin }]);
    await takeReports(other.page);
    await other.open("/about");
    expect(await shown(other)).toBe("he");
    await other.leave();
  });

  test("that the product does not have changes nothing", async () => {
    const before = `${consentGiven} localStorage.setItem('i18n_language', 'fr')`;
    const visitor = await arrive("/about", { before, language: "he" });
    expect(await shown(visitor)).toBe("he");
    await visitor.leave();
  });
});

test("the browser's list of languages counts where the header does not have it, until the browser closes", async () => {
  const visitor = await arrive("/about", {
    before: `${consentGiven}
      Object.defineProperty(navigator, 'languages', { value: ['fr-FR', 'iw', 'en'] })`,
  });
  const { page } = visitor;
  expect(await shown(visitor)).toBe("he");
  expect(await stored(visitor)).toEqual(["he", null]);
  const [cookie] = await page.context().cookies();
  expect(cookie?.expires).toBe(-1);
  expect(visitor.noise).toEqual([]);
  await visitor.leave();
});
