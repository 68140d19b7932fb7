import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

const resources = ".resources-menu__button";
const resourceLinks = "#header-resources a";
const menu = ".header__menu";

const expanded = (visitor: Visitor, selector: string, expected: readonly boolean[]) =>
  eventually(async () =>
    expect(
      await visitor.evaluate(
        (buttons) =>
          [...document.querySelectorAll(buttons)].map(
            (button) => button.getAttribute("aria-expanded") === "true",
          ),
        selector,
      ),
    ).toEqual(expected),
  );

describe.each(["en", "he"] as const)("with a keyboard in %s", (language) => {
  const { plans } = texts[language];
  // Of the engines, WebKit alone does not mirror the arrows of radio buttons.
  const [ahead, back] =
    language === "he" && inject("engine") !== "webkit"
      ? (["ArrowLeft", "ArrowRight"] as const)
      : (["ArrowRight", "ArrowLeft"] as const);
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const arrive = async (path: string, width = 1280): Promise<Visitor> => {
    const visitor = await site.visit({ decided: true });
    await visitor.resize(width, 800);
    await visitor.open(path);
    return visitor;
  };

  test("the skip links come first and lead past the header", async () => {
    const visitor = await arrive("/about");
    await visitor.press("Tab");
    await visitor.hasFocus('.skip-links a[href="#main"]');
    await visitor.press("Enter");
    await visitor.hasFocus("#main");
    await expectNoFaults(visitor);
  });

  test("the resources open and close on Enter, Space and Escape, and lead to a page", async () => {
    const visitor = await arrive("/about");
    await visitor.tabTo(resources);
    for (const key of ["Enter", "Space"] as const) {
      await visitor.press(key);
      await expanded(visitor, resources, [true]);
      await visitor.press(key);
      await expanded(visitor, resources, [false]);
    }
    await visitor.press("Enter");
    await visitor.press("Tab");
    await visitor.hasFocus(`${resourceLinks}[href="/ats/what-is-ats"]`);
    await visitor.press("Escape");
    await expanded(visitor, resources, [false]);
    await visitor.hasFocus(resources);
    await visitor.hides(resourceLinks);
    await visitor.press("Space");
    await visitor.press("Tab");
    await visitor.press("Enter");
    await visitor.arrivedAt("/ats/what-is-ats");
    await visitor.hasFocus("main h1");
    await expectNoFaults(visitor);
  });

  test("the menu of a small screen opens, closes on Escape and leads to a page", async () => {
    const visitor = await arrive("/about", 360);
    await visitor.hides(".header__links");
    await visitor.tabTo(menu);
    await visitor.press("Enter");
    await expanded(visitor, menu, [true]);
    await visitor.press("Escape");
    await visitor.hides(".header__links");
    await visitor.hasFocus(menu);
    await visitor.press("Space");
    await visitor.tabTo('.header__links a[href="/pricing"]');
    await visitor.press("Enter");
    await visitor.arrivedAt("/pricing");
    await visitor.hides(".header__links");
    await expectNoFaults(visitor);
  });

  test("of the questions one is open at a time", async () => {
    const visitor = await arrive("/pricing");
    const questions = "main :is(h2, h3) > button[aria-expanded]";
    const count = (await visitor.texts(questions)).length;
    const only = (open?: number) => Array.from({ length: count }, (_, index) => index === open);
    await visitor.tabTo(questions);
    await visitor.press("Enter");
    await expanded(visitor, questions, only(0));
    expect(await visitor.texts(".accordion__text")).toHaveLength(1);
    await visitor.tabTo(questions);
    await visitor.press("Space");
    await expanded(visitor, questions, only(1));
    expect(await visitor.texts(".accordion__text")).toHaveLength(1);
    await visitor.press("Space");
    await expanded(visitor, questions, only());
    await visitor.hides(".accordion__text");
    await expectNoFaults(visitor);
  });

  test("the billing period follows the arrows in the direction of reading", async () => {
    const visitor = await arrive("/pricing");
    const prices = `[aria-label="${plans.list}"] bdi`;
    await visitor.shows(prices, "$0", "$10", "$20");
    await visitor.tabTo(".billing-period__toggle input");
    await visitor.press(ahead);
    await visitor.shows(prices, "$0", "$8", "$15");
    await visitor.press(back);
    await visitor.shows(prices, "$0", "$10", "$20");
    await visitor.resize(360, 800);
    await visitor.choose(".billing-period__select select", "annual");
    await visitor.shows(prices, "$0", "$8", "$15");
    await expectNoFaults(visitor);
  });

  test("the theme follows the arrows in the direction of reading", async () => {
    const visitor = await arrive("/about");
    await visitor.tabTo(".theme-switcher input");
    await visitor.press(back);
    await visitor.hasFocus('.theme-switcher input[value="dark"]');
    await eventually(async () =>
      expect(await visitor.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark"),
    );
    await expectNoFaults(visitor);
  });
});
