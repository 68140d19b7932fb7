import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { faultsInAllLooks } from "../account-visitor.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { type Answers, linkIdOf, notIncluded, ok, openLinks, usual } from "../link-answers.ts";
import { texts } from "../texts.ts";

/** The pages of links: the calls are answered by the journey, by their own contracts. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const open = (path: string, language: Language, answers?: Answers) =>
  openLinks(stack, path, language, answers);

const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

// Each in one language: the other direction and theme are looked at beside.
describe.each<Language>(["en"])("in %s", (language) => {
  const { links: t } = texts[language];

  test("an owner reads what is fresh, searches, and finds nothing by another word", async () => {
    const { page, visitor } = await open("/links", language);
    await said(page, "Acme");
    expect(await page.locator(".links__entry").count()).toBe(3);
    // What was opened is another call, whose answer comes after the list.
    await page.locator(".opened-mark").first().waitFor();
    expect(await page.locator(".opened-mark").count()).toBe(1);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.getByRole("searchbox").fill("ירושלים");
    await page.locator(".links__entry").nth(1).waitFor({ state: "detached" });
    expect(await page.locator(".links__entry").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("q")).toBe("ירושלים");
    await page.getByRole("searchbox").fill("nothing of that name");
    await said(page, t.list.noMatch);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await visitor.leave();
  });

  test("before the first link it is said what a link shows and what it does not", async () => {
    const answers = { ...usual, "/api/links": ok({ links: [], linksMax: 500 }) };
    const { page, visitor } = await open("/links", language, answers);
    await said(page, t.empty.body);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page.getByRole("button", { name: t.create.action }).click();
    await page.getByLabel(t.create.many).check();
    await page.getByLabel(t.bulk.recipients, { exact: true }).fill("Acme\nGlobex\nAcme\n");
    expect(await page.locator(".links__preview li").count()).toBe(2);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await visitor.leave();
  });
});

describe.each<Language>(["he"])("in %s", (language) => {
  const { links: t } = texts[language];

  test("one link: its sentence, its newest opens, one more as it happens, and what was left out", async () => {
    const { page, visitor } = await open(`/links/${linkIdOf(1)}?with=${linkIdOf(2)}`, language);
    await said(page, t.compare.sentence.split("{{")[0] ?? "");
    await said(page, t.compare.overTime.split("{{")[0] ?? "");
    await said(page, t.excluded["mail-scanner"].why);
    await page.locator(".links__open").nth(2).waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    await page
      .getByRole("button", { name: t.filter.only.replace("{{name}}", t.devices.mobile) })
      .click();
    expect(new URL(page.url()).searchParams.get("device")).toBe("mobile");
    await visitor.leave();
  });

  test("without analytics the first open and a labelled sample are shown", async () => {
    const answers = { ...usual, "/api/insights/links": notIncluded };
    const { page, visitor } = await open("/links", language, answers);
    await said(page, t.sample.title);
    expect(await page.locator(".links__entry").count()).toBe(3);
    expect(await faultsInAllLooks(page)).toEqual([]);
    await visitor.leave();
  });

  test("links that cannot be loaded are asked for again", async () => {
    const answers: Answers = { ...usual, "/api/links": { status: 400, body: { code: "x" } } };
    const { page, visitor } = await open("/links", language, answers);
    const again = page.getByRole("button", { name: texts[language].account.view.retry });
    await again.waitFor();
    expect(await faultsInAllLooks(page)).toEqual([]);
    const asked = page.waitForRequest(
      (request) => new URL(request.url()).pathname === "/api/links",
    );
    await again.click();
    await asked;
    await visitor.leave();
  });
});
