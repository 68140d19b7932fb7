import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { directionOf } from "../../i18n/languages.ts";
import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Engines write colours in their own way, so one pixel is painted and read. */
function look() {
  const root = document.documentElement;
  const paint = document.createElement("canvas").getContext("2d");
  if (paint === null) throw new Error("No canvas");
  paint.fillStyle = getComputedStyle(root).backgroundColor;
  paint.fillRect(0, 0, 1, 1);
  return {
    lang: root.lang,
    dir: getComputedStyle(document.body).direction,
    theme: root.dataset["theme"],
    background: [...paint.getImageData(0, 0, 1, 1).data],
  };
}
const lookOf = (visitor: Visitor) => visitor.evaluate(look);
const canvas = { light: [252, 250, 246, 255], dark: [16, 20, 27, 255] };

describe.each(["en", "he"] as const)("a browser set to %s", (language) => {
  const other = language === "en" ? "he" : "en";
  const { shell } = texts[language];
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  test("gets its language; a switch is immediate, kept, and used for every later page", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/about");
    expect(await lookOf(visitor)).toMatchObject({ lang: language, dir: directionOf(language) });
    await visitor.click("header button", shell.language[other]);
    await visitor.shows("main h1", texts[other].about.title);
    expect(await lookOf(visitor)).toMatchObject({ lang: other, dir: directionOf(other) });
    expect(await visitor.evaluate(() => localStorage.getItem("i18n_language"))).toBe(other);
    await eventually(async () =>
      expect(await visitor.cookies()).toEqual([{ name: "preferred_language", value: other }]),
    );
    await visitor.open("/contact");
    await visitor.shows("main h1", texts[other].contact.title);
    await visitor.back();
    await visitor.shows("main h1", texts[other].about.title);
    await expectNoFaults(visitor);
  });

  test("shows the chosen theme at once and on every later page", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/about");
    expect(await lookOf(visitor)).toMatchObject({ theme: "light", background: canvas.light });
    await visitor.click(`.theme-switcher label[title="${shell.theme.dark}"]`);
    await eventually(async () =>
      expect(await lookOf(visitor)).toMatchObject({ theme: "dark", background: canvas.dark }),
    );
    await visitor.open("/pricing");
    expect(await lookOf(visitor)).toMatchObject({ theme: "dark", background: canvas.dark });
    await visitor.click(`.theme-switcher label[title="${shell.theme.system}"]`);
    await eventually(async () => expect(await lookOf(visitor)).toMatchObject({ theme: "light" }));
    await expectNoFaults(visitor);
  });
});

describe("a device that prefers dark", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language: "en", device: "dark" });
  });
  afterAll(() => site.close());

  test("gets the dark theme", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/");
    expect(await lookOf(visitor)).toMatchObject({ theme: "dark", background: canvas.dark });
    await expectNoFaults(visitor);
  });
});
