import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { directionOf } from "../../i18n/languages.ts";
import { visitAccount } from "../account-visitor.ts";
import {
  type Language,
  type Stack,
  startPages,
  type Visitor,
  type VisitorOptions,
} from "../fixtures.ts";
import { takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

const withToken = "localStorage.setItem('token', 'bearer-1');";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function arrive(path: string, title: string, options: VisitorOptions): Promise<Visitor> {
  const visitor = await stack.visit(options);
  await visitor.page.goto(path);
  await visitor.page.getByRole("heading", { level: 1, name: title }).waitFor();
  return visitor;
}

/** The layout depends on the language, contrasts on the theme; what axe finds hardly depends on the width. */
const looks = [
  { language: "en", colorScheme: "light", judged: 1280 },
  { language: "he", colorScheme: "dark", judged: 360 },
] as const;

describe.each(looks)("in $language and $colorScheme", ({ language, colorScheme, judged }) => {
  const {
    account,
    entry: { join },
  } = texts[language];
  const pages = [
    { path: "/login?next=%2Fcv", title: account.signIn.title, before: "" },
    { path: "/join", title: join.title, before: "" },
  ];

  test.each(pages)("$path has no fault at any width", async ({ path, title, before }) => {
    const visitor = await arrive(path, title, {
      language,
      colorScheme,
      before: `${faultFinder}${before}`,
    });
    const { page } = visitor;
    for (const width of [1280, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const found = [...(await overflowFaults(page)), ...(await targetFaults(page))];
      if (width === judged) found.push(...(await accessibilityFaults(page)));
      expect(found).toEqual([]);
    }
    expect(await page.title()).toContain(title);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(directionOf(language));
    expect(visitor.noise).toEqual([]);
    expect(visitor.calls).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["en"])("in %s", (language) => {
  const { signIn } = texts[language].account;

  test("a page of an account leads a visitor without a token to the sign-in page, and names the way back", async () => {
    const visitor = await arrive("/links/7?days=30", signIn.title, { language });
    const { page } = visitor;
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe("/login");
    expect(searchParams.get("next")).toBe("/links/7?days=30");
    expect(await page.getByText(signIn.next).isVisible()).toBe(true);
    await visitor.leave();
  });

  test("a page whose code is gone is loaded once more, then fails within the layout", async () => {
    const visitor = await stack.visit({ language });
    const { page } = visitor;
    const documents: string[] = [];
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await page.route(/\/assets\/sign-in-page-[^/]+\.js$/, (route) => {
      requests.push(route.request().url());
      return route.fulfill({ status: 404, body: "" });
    });
    await page.goto("/login");
    const { failure } = texts[language].shell;
    await page.getByRole("heading", { level: 1, name: failure.title }).waitFor();
    expect(await page.getByRole("banner").isVisible()).toBe(true);
    expect(documents).toHaveLength(2);
    expect(requests.length).toBeLessThanOrEqual(8);
    expect(await page.title()).toContain(failure.title);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { join } = texts[language].entry;

  test("the language is switched by the server, on the same page", async () => {
    const other = language === "en" ? "he" : "en";
    const visitor = await arrive("/join", join.title, { language });
    const { page } = visitor;
    await page.getByRole("button", { name: texts[language].shell.language[other] }).click();
    await page.getByRole("heading", { level: 1, name: texts[other].entry.join.title }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/join");
    expect(await page.evaluate(() => localStorage.getItem("i18n_language"))).toBe(other);
    await visitor.leave();
  });
});

test("code of the pages of the navigation is loaded beside the page that is open", async () => {
  const { page, visitor } = await visitAccount(stack, "/account/profile", {
    language: "en",
    loadsAhead: true,
  });
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .flatMap(({ name }) => /[^/]+-page(?=-[^/]+\.js$)/u.exec(name) ?? []),
    );
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining(["dashboard-page", "links-page", "cvs-page"]));
  await visitor.leave();
});

test("links between the area and the public pages load a document", async () => {
  const visitor = await arrive("/join", texts.en.entry.join.title, { before: consentGiven });
  const { page } = visitor;
  await takeReports(page);
  const response = page.waitForResponse((answer) => answer.request().isNavigationRequest());
  await page.getByRole("link", { name: texts.en.entry.entry.join }).click();
  expect(new URL((await response).url()).pathname).toBe("/signup");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: texts.en.entry.join.title }).waitFor();
  await visitor.leave();
});

test("an answer of 401 to analytics changes nothing for the visitor", async () => {
  const visitor = await stack.visit({ before: `${consentGiven}${withToken}` });
  const { page } = visitor;
  let refused = 0;
  let documents = 0;
  await page.route("**/api/analytics/**", (route) => {
    refused += 1;
    return route.fulfill({ status: 401, json: { code: "unauthorized" } });
  });
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const answered = page.waitForResponse((answer) => answer.status() === 401);
  await page.goto("/about");
  await (await answered).finished();
  // What the page did with that answer comes before the answer to a later question.
  expect(await page.evaluate(() => fetch("/robots.txt").then(({ ok }) => ok))).toBe(true);
  expect(refused).toBeGreaterThan(0);
  expect(documents).toBe(1);
  expect(new URL(page.url()).pathname).toBe("/about");
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBe("bearer-1");
  await visitor.leave();
});
