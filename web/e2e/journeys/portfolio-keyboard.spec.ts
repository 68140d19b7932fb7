import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Language, type Stack, startPages } from "../fixtures.ts";
import { accessibilityFaults } from "../page-faults.ts";
import { examplePage, visitPortfolio, withoutFrames } from "../portfolio-answers.ts";
import { texts } from "../texts.ts";

/** A portfolio is made and published without a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error("not reached by the key");
}

/** Presses a button or link. */
async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Chooses in the menu of a part. */
async function choose(page: Page, language: Language, name: string, act: string): Promise<void> {
  const menuOf = texts[language].cv.order.menuOf.replace("{{name}}", `\u2068${name}\u2069`);
  await press(page, page.getByRole("button", { name: menuOf, exact: true }));
  await tabTo(page, page.getByRole("menuitem", { name: act, exact: true }), "ArrowDown");
  await page.keyboard.press("Enter");
}

/** Shows a part of the editor by the arrow keys of its tabs. */
async function show(page: Page, language: Language, name: string): Promise<void> {
  await tabTo(page, page.locator("[role=tab][aria-selected=true]"));
  const tab = page.getByRole("tab", { name, exact: true });
  await tabTo(page, tab, language === "he" ? "ArrowLeft" : "ArrowRight");
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const saved = (page: Page) => page.locator(".cv-save[data-kind=saved]").waitFor();
const picture = {
  name: "ward.png",
  mimeType: "image/png",
  buffer: Buffer.from("a picture, as far as this browser is concerned"),
};

test.each<Language>(["en"])(
  "in %s a page is made from a CV, ordered, shortened, given a picture with its text, and published with keys alone",
  async (language) => {
    const { cv, portfolio: t } = texts[language];
    const { page, visitor, answers } = await visitPortfolio(
      stack,
      "/portfolio?page=en",
      language,
      ({ pages }) => pages.clear(),
    );
    await press(page, button(page, `${t.begin.fromCv} Head nurse, Haifa`));
    await page.getByText(t.status.why.draft).waitFor();
    expect(answers.document()).toEqual(examplePage);

    await choose(page, language, cv.kinds.projects, cv.order.up);
    await choose(page, language, cv.kinds.summary, cv.section.hide);
    await press(page, page.getByRole("button", { name: /^Triage/u }));
    const choosing = page.waitForEvent("filechooser");
    await press(page, button(page, t.pictures.add));
    await (await choosing).setFiles([picture]);
    const alt = page.getByLabel(t.pictures.alt, { exact: true });
    await expect.poll(() => hasFocus(alt)).toBe(true);
    await saved(page);
    await page.getByText(cv.checks.at.noAlt).waitFor();

    await show(page, language, t.parts.publish);
    await page.getByText(t.publish.obstacles.pictures_one).waitFor();
    await press(page, button(page, t.publish.toPictures));
    await press(page, page.getByRole("button", { name: /^Triage/u }));
    await tabTo(page, alt);
    await page.keyboard.type("Beds by urgency");
    await show(page, language, t.parts.publish);
    const publish = button(page, t.publish.now);
    await tabTo(page, publish);
    await page.keyboard.press("Enter");
    await page.getByText(t.status.stamp.published, { exact: true }).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    const document = answers.document();
    expect(document?.sections.map(({ kind, shown }) => [kind, shown])).toEqual([
      ["projects", true],
      ["summary", false],
    ]);
    const [projects] = document?.sections ?? [];
    const [, triage] = projects?.kind === "projects" ? projects.entries : [];
    expect(triage?.pictures.map(({ alt: text }) => text)).toEqual(["Beds by urgency"]);
    const { published, versions } = answers.pages.get("en") ?? {};
    expect(answers.rules.state).toBe("published");
    expect(published).toBe(versions?.length);
    const frame = page.frameLocator(".pf-frame__page[data-shown=true]");
    expect(await frame.locator("h2").allInnerTexts()).toEqual(["projects"]);
    expect(withoutFrames(visitor.noise)).toEqual([]);
    await visitor.leave();
  },
  90_000,
);

test.each<Language>(["he"])(
  "in %s a published page is unlisted, locked, and goes back to an earlier version",
  async (language) => {
    const { cv, portfolio: t } = texts[language];
    const { page, visitor, answers } = await visitPortfolio(
      stack,
      "/portfolio",
      language,
      ({ pages, rules }) => {
        pages.set("en", { versions: [examplePage], published: 1 });
        rules.state = "published";
      },
    );
    const name = page.getByLabel(cv.profile.fullName, { exact: true });
    await tabTo(page, name);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Dana Katz");
    await page.getByText(t.status.changed).waitFor();

    await show(page, language, t.parts.publish);
    await tabTo(page, page.locator("#pf-state-published"));
    await page.keyboard.press("ArrowDown");
    await press(page, button(page, t.publish.changes).last());
    await page.getByText(t.status.stamp.unlisted, { exact: true }).first().waitFor();
    await tabTo(page, page.getByLabel(t.readers.password, { exact: true }));
    await page.keyboard.type("rose");
    await page.keyboard.press("Enter");
    await page.getByText(t.readers.locked).waitFor();
    expect(answers.rules).toMatchObject({ state: "unlisted", locked: true });
    expect(answers.pages.get("en")?.published).toBe(2);

    await show(page, language, t.parts.versions);
    await press(
      page,
      page.getByRole("button", { name: new RegExp(`^${t.versions.restore}`, "u") }),
    );
    await page.getByText(t.versions.restored).waitFor();
    expect(answers.document()?.profile.fullName).toBe("Dana Levi");
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(withoutFrames(visitor.noise)).toEqual([]);
    await visitor.leave();
  },
  90_000,
);

test.each<Language>(["en"])(
  "in %s what is written without a connection outlives a reload, and a field that was changed elsewhere is shown side by side",
  async (language) => {
    const { cv } = texts[language];
    const { page, visitor, answers } = await visitPortfolio(stack, "/portfolio", language);
    page.on("dialog", (dialog) => void dialog.accept());
    answers.instead.set("PUT /api/portfolio/pages/en", "lost");
    const name = page.getByLabel(cv.profile.fullName, { exact: true });
    await name.fill("Dana Katz");
    await page.locator(".cv-save[data-kind=trouble]").waitFor();
    await page.reload();
    await expect.poll(() => name.inputValue(), { timeout: 10_000 }).toBe("Dana Katz");
    const { profile } = examplePage;
    answers.pages
      .get("en")
      ?.versions.push({ ...examplePage, profile: { ...profile, fullName: "Dana Cohen" } });
    answers.instead.clear();
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    const conflict = page.locator(".cv-conflicts__field");
    await conflict.waitFor();
    expect(await conflict.locator("dd").allInnerTexts()).toEqual(["Dana Katz", "Dana Cohen"]);
    await page
      .getByRole("button", { name: new RegExp(`^${cv.conflict.useTheirs}`, "u") })
      .press("Enter");
    await expect.poll(() => answers.document()?.profile.fullName).toBe("Dana Cohen");
    await visitor.leave();
  },
  60_000,
);

test.each<Language>(["he"])(
  "in %s what was written is taken back step by step, and brought again, by buttons and keys",
  async (language) => {
    const { cv } = texts[language];
    const { page, visitor, answers } = await visitPortfolio(stack, "/portfolio?page=en", language);
    const headline = page.getByLabel(cv.profile.headline, { exact: true });
    const first = await headline.inputValue();
    for (const text of ["Second", "Third"]) {
      await headline.fill(text);
      await expect.poll(() => answers.document()?.profile.headline).toBe(text);
      await saved(page);
    }
    const is = (text: string) => expect.poll(() => headline.inputValue()).toBe(text);
    await press(page, button(page, cv.undo));
    await is("Second");
    await page.keyboard.press("Control+z");
    await is(first);
    await expect.poll(() => button(page, cv.undo).isDisabled()).toBe(true);
    await page.locator("body").press("Control+Shift+z");
    await is("Second");
    await press(page, button(page, cv.redo));
    await is("Third");
    await saved(page);
    expect(answers.document()?.profile.headline).toBe("Third");
    expect(withoutFrames(visitor.noise)).toEqual([]);
    await visitor.leave();
  },
);
