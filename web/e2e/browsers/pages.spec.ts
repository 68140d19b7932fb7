import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { directionOf } from "../../i18n/languages.ts";
import { overflowFaults, targetFaults } from "../page-faults.ts";
import { sitePaths, unknownPath } from "../site-paths.ts";
import { expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Where the brand and the menu of a right-to-left page must be: mirrored. */
function sides(): { brand: number; menu: number } {
  const middleOf = (selector: string): number => {
    const { left, width } = document.querySelector(selector)?.getBoundingClientRect() ?? {
      left: Number.NaN,
      width: 0,
    };
    return (left + width / 2) / innerWidth;
  };
  return { brand: middleOf(".header__home"), menu: middleOf(".header__navigation") };
}

describe.each(["en", "he"] as const)("pages in %s", (language) => {
  let site: Site;
  let tab: Visitor;
  beforeAll(async () => {
    site = await openSite({ language });
    tab = await site.visit({ decided: true });
  });
  afterAll(() => site.close());

  test.each(sitePaths)("%s works, fits every width and reads in its direction", async (path) => {
    await tab.open(path);
    const facts = await tab.evaluate(() => ({
      lang: document.documentElement.lang,
      dir: getComputedStyle(document.body).direction,
      headings: [...document.querySelectorAll("h1")].map((heading) => heading.checkVisibility()),
    }));
    expect(facts).toEqual({ lang: language, dir: directionOf(language), headings: [true] });
    for (const width of [1280, 768, 360, 320]) {
      await tab.resize(width, 800);
      expect([width, ...(await overflowFaults(tab)), ...(await targetFaults(tab))]).toEqual([
        width,
      ]);
      const { brand, menu } = await tab.evaluate(sides);
      expect(language === "he" ? brand > menu : brand < menu).toBe(true);
    }
    // A browser reports the expected status as an error.
    await expectNoFaults(tab, path === unknownPath ? /404/u : undefined);
  });
});
