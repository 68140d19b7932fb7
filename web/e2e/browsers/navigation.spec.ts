import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { sitePaths, unlinkedPaths } from "../site-paths.ts";
import { texts } from "../texts.ts";
import { eventually, expectNoFaults, openSite, type Site, type Visitor } from "./site.ts";

/** Pages that only the text of another page links to. */
const elsewhere = ["/", "/ledger-heads", ...unlinkedPaths];
const linked = sitePaths.filter((path) => !elsewhere.includes(path));

/** Follows a link from where the page is scrolled to, as a keyboard does. */
async function follow(visitor: Visitor, selector: string): Promise<void> {
  const at = await visitor.evaluate((link) => {
    document.querySelector<HTMLElement>(link)?.focus({ preventScroll: true });
    return document.activeElement?.matches(link);
  }, selector);
  expect(at).toBe(true);
  await visitor.press("Enter");
}

const scrolledTo = (visitor: Visitor, expected: number): Promise<void> =>
  eventually(async () => expect(Math.round(await visitor.evaluate(() => scrollY))).toBe(expected));

/** A value that a full load of another document would lose. */
const markDocument = (): void => document.documentElement.setAttribute("data-kept", "");
const sameDocument = (): boolean => document.documentElement.hasAttribute("data-kept");

/** The drivers cannot refuse requests alike; a policy of the document refuses all further code. */
function loseConnection(): void {
  Object.defineProperty(navigator, "onLine", { value: false });
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "script-src 'none'";
  document.head.append(policy);
}

describe.each(["en", "he"] as const)("moving about in %s", (language) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ language });
  });
  afterAll(() => site.close());

  test("every page is reached from the home page and back without a full load", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/");
    await visitor.evaluate(markDocument);
    const home = await visitor.texts("main h1");
    for (const path of linked) {
      await visitor.click(`footer a[href="${path}"]`);
      await visitor.arrivedAt(path);
      await visitor.hasFocus("main h1");
      expect(await visitor.texts("main h1")).not.toEqual(home);
      await visitor.click('header a[href="/"]');
      await visitor.arrivedAt("/");
      await visitor.shows("main h1", ...home);
    }
    expect(await visitor.evaluate(sameDocument)).toBe(true);
    await expectNoFaults(visitor);
  });

  test("a new page starts at its top; back and forward restore the position", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/");
    await visitor.evaluate(() => scrollTo({ top: 1500, behavior: "instant" }));
    await scrolledTo(visitor, 1500);
    await follow(visitor, 'footer a[href="/about"]');
    await visitor.arrivedAt("/about");
    await visitor.hasFocus("main h1");
    await scrolledTo(visitor, 0);
    await visitor.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
    await scrolledTo(visitor, 400);
    await visitor.back();
    await visitor.arrivedAt("/");
    await scrolledTo(visitor, 1500);
    await visitor.forward();
    await visitor.arrivedAt("/about");
    await scrolledTo(visitor, 400);
    await expectNoFaults(visitor);
  });

  test("a page whose code cannot be loaded is a designed page, and can be tried again", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/contact");
    await visitor.evaluate(loseConnection);
    await visitor.click('footer a[href="/about"]');
    await visitor.shows("main h1", texts[language].shell.failure.title);
    await visitor.hasFocus("main h1");
    await visitor.tabTo("main button");
    await visitor.press("Enter");
    await visitor.shows("main h1", texts[language].about.title);
    await expectNoFaults(visitor, /policy|loading|loaded|JSHandle@error/iu);
  });

  test("the plans of the home page are reached by their address and their link", async () => {
    const visitor = await site.visit({ decided: true });
    await visitor.open("/");
    await visitor.click('main a[href$="#pricing"]');
    await visitor.hasFocus("#pricing");
    const top = (): Promise<number> =>
      visitor.evaluate(() => document.getElementById("pricing")?.getBoundingClientRect().top ?? -1);
    await eventually(async () => expect(Math.abs(await top())).toBeLessThan(200));
    await visitor.open("/#pricing");
    await visitor.hasFocus("#pricing");
    await eventually(async () => expect(Math.abs(await top())).toBeLessThan(200));
    await expectNoFaults(visitor);
  });

  test("a page of an account leads to the sign-in page, which names the way back", async () => {
    const {
      account,
      entry: { join },
    } = texts[language];
    const visitor = await site.visit();
    await visitor.goto("/links/7?days=30");
    await visitor.arrivedAt("/login");
    await visitor.shows("h1", account.signIn.title);
    expect(await visitor.evaluate(() => new URLSearchParams(location.search).get("next"))).toBe(
      "/links/7?days=30",
    );
    await visitor.goto("/join");
    await visitor.shows("h1", join.title);
    await expectNoFaults(visitor);
  });
});
