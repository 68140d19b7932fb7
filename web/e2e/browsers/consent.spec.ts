import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

const banner = ".consent-banner";
const dialog = "dialog[open]";
/** Waits until the browser stores exactly these keys. */
const stores = (visitor: Visitor, ...keys: readonly string[]): Promise<void> =>
  eventually(async () =>
    expect(await visitor.evaluate(() => Object.keys(localStorage).toSorted())).toEqual(keys),
  );
const choiceAlone = ["cookieConsentGiven", "cookiePreferences"];
const withIds = ["analytics-storage", "anonymousId", ...choiceAlone];

describe.each(["en", "he"] as const)("consent in %s", (language) => {
  const { consent, shell } = texts[language];
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  const newcomer = async (): Promise<Visitor> => {
    const visitor = await site.visit();
    await visitor.open("/");
    await visitor.shows(`${banner} h2`, consent.banner.title);
    return visitor;
  };

  test("is asked for before anything is stored; a rejection keeps only itself", async () => {
    const visitor = await newcomer();
    await stores(visitor);
    expect(await visitor.cookies()).toEqual([]);
    await visitor.click(`${banner} button`, consent.rejectAll);
    await visitor.hides(banner);
    await stores(visitor, ...choiceAlone);
    await visitor.open("/privacy");
    await visitor.hides(banner);
    await stores(visitor, ...choiceAlone);
    await expectNoFaults(visitor);
  });

  test("once given lasts, and is withdrawn from the footer", async () => {
    const visitor = await newcomer();
    await visitor.click(`${banner} button`, consent.acceptAll);
    await visitor.hides(banner);
    await stores(visitor, ...withIds);
    await visitor.open("/about");
    await visitor.hides(banner);
    await visitor.click("footer button", shell.footer.cookieSettings);
    await visitor.click(`${dialog} button`, consent.rejectAll);
    await visitor.hides(dialog);
    await stores(visitor, ...choiceAlone);
    await expectNoFaults(visitor);
  });

  test("is chosen in the settings by keyboard; Escape leads back to the banner", async () => {
    const visitor = await newcomer();
    const opener = `${banner} .button--text`;
    await visitor.tabTo(opener);
    await visitor.press("Enter");
    await visitor.shows(`${dialog} h2`, consent.settings.title);
    await visitor.press("Escape");
    await visitor.hides(dialog);
    await visitor.hasFocus(opener);
    await visitor.press("Enter");
    await visitor.shows(`${dialog} h2`, consent.settings.title);
    await visitor.tabTo(`${dialog} [role=switch]:enabled`);
    await visitor.press("Space");
    await visitor.tabTo(`${dialog} .button--solid`);
    await visitor.press("Enter");
    await visitor.hides(dialog);
    await visitor.hides(banner);
    await stores(visitor, ...withIds);
    await expectNoFaults(visitor);
  });

  test("that is forgotten is asked for again", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/about");
    await visitor.hides(banner);
    await visitor.click("footer button", shell.footer.cookieSettings);
    await visitor.click(`${dialog} button`, consent.settings.reset);
    await visitor.hides(dialog);
    await visitor.shows(`${banner} h2`, consent.banner.title);
    await stores(visitor);
    await expectNoFaults(visitor);
  });

  test("the settings keep the keyboard inside and give it back", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/about");
    const opener = ".footer__settings";
    await visitor.tabTo(opener);
    await visitor.press("Enter");
    await visitor.shows(`${dialog} h2`, consent.settings.title);
    for (let presses = 0; presses < 12; presses++) {
      await visitor.press("Tab");
      const outside = await visitor.evaluate(
        () =>
          document.activeElement !== document.body &&
          document.activeElement?.closest("dialog") === null,
      );
      expect(outside).toBe(false);
    }
    await visitor.press("Escape");
    await visitor.hides(dialog);
    await visitor.hasFocus(opener);
    await expectNoFaults(visitor);
  });
});
