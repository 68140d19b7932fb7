import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { visitAccount } from "../account-visitor.ts";
import { CvAnswers, cvId, visitCvs } from "../cv-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { answerLinks } from "../link-answers.ts";
import { accessibilityFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** A CV is written without a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);
const expectFocus = (target: Locator) =>
  expect.poll(() => hasFocus(target), { timeout: 10_000 }).toBe(true);

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error("not reached by Tab");
}

/** Chooses in an open menu. */
async function choose(page: Page, text: string): Promise<void> {
  const item = page.getByRole("menuitem", { name: text, exact: true });
  await tabTo(page, item, "ArrowDown");
  await page.keyboard.press("Enter");
}

const saved = (page: Page) => page.locator(".cv-save[data-kind=saved]").waitFor();
const current = (answers: CvAnswers) => answers.documents[answers.at];
const isolated = (name: string): string => `\u2068${name}\u2069`;
const menuOf = (page: Page, language: Language, name: string) =>
  page.getByRole("button", {
    name: texts[language].cv.order.menuOf.replace("{{name}}", isolated(name)),
    exact: true,
  });

test.each<Language>(["en"])(
  "in %s points are written, made bold, ordered and removed with keys alone, and every edit is saved",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor, answers } = await visitCvs(stack, `/cv/${cvId}`, language);
    await tabTo(page, page.getByRole("button", { name: /^Head nurse/u }));
    await page.keyboard.press("Enter");
    const points = page.locator(".cv-bullet [role=textbox]");
    await tabTo(page, points.first());
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expectFocus(points.nth(1));
    await page.keyboard.type("Led ");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("eight");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" nurses");
    const texted = () =>
      (current(answers)?.sections[1]?.entries ?? []).flatMap((entry) =>
        "bullets" in entry ? entry.bullets.map(({ text }) => text) : [],
      );
    await expect
      .poll(() => texted()[1], { timeout: 10_000 })
      .toEqual([
        { text: "Led ", bold: false, italic: false, link: null },
        { text: "eight", bold: true, italic: false, link: null },
        { text: " nurses", bold: false, italic: false, link: null },
      ]);
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(() => points.first().innerText()).toBe("Led eight nurses");
    await expectFocus(points.first());
    await page.keyboard.press("Enter");
    await expect.poll(() => points.count()).toBe(4);
    await page.keyboard.press("Backspace");
    await expect.poll(() => points.count()).toBe(3);
    await expectFocus(points.first());

    const menu = menuOf(page, language, "Nurse");
    await tabTo(page, menu);
    await page.keyboard.press("Enter");
    await choose(page, t.order.up);
    await expectFocus(menu);
    const titles = page.locator(".cv-entry__toggle .cv-entry__title");
    await expect.poll(() => titles.allInnerTexts()).toEqual(["Nurse", "Head nurse"]);
    const said = t.order.moved.replace("{{name}}", isolated("Nurse")).replace("{{place}}", "1");
    await expect.poll(() => page.getByText(said).count()).toBe(1);
    await saved(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);

test.each<Language>(["he"])(
  "in %s a removed position comes back, and undo and redo follow the saved edits",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor, answers } = await visitCvs(stack, `/cv/${cvId}`, language);
    await tabTo(page, menuOf(page, language, "Head nurse"));
    await page.keyboard.press("Enter");
    await choose(page, t.order.remove);
    const entries = page.locator(".cv-entry__toggle");
    await expect.poll(() => entries.count()).toBe(1);
    await page.getByRole("button", { name: t.order.restore, exact: true }).last().press("Enter");
    await expect.poll(() => entries.allInnerTexts()).toHaveLength(2);
    expect(await entries.first().innerText()).toContain("Head nurse");

    const name = page.getByLabel(t.profile.fullName, { exact: true });
    await name.fill("Dana Levi-Katz");
    await saved(page);
    await expect.poll(() => current(answers)?.profile.fullName).toBe("Dana Levi-Katz");
    await page.locator("h1").focus();
    await page.keyboard.press("Control+z");
    await expect.poll(() => name.inputValue(), { timeout: 10_000 }).toBe("Dana Levi");
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => name.inputValue(), { timeout: 10_000 }).toBe("Dana Levi-Katz");
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);

test.each<Language>(["en"])(
  "in %s what is typed without a connection outlives a reload and is saved afterwards",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor, answers } = await visitCvs(stack, `/cv/${cvId}`, language);
    page.on("dialog", (dialog) => void dialog.accept());
    answers.instead.set(`POST /api/cvs/${cvId}/edits`, "lost");
    const name = page.getByLabel(t.profile.fullName, { exact: true });
    await name.fill("Dana of Haifa");
    await page.locator(".cv-save[data-kind=trouble]").waitFor();
    await page.reload();
    await expect.poll(() => name.inputValue(), { timeout: 10_000 }).toBe("Dana of Haifa");
    expect(current(answers)?.profile.fullName).toBe("Dana Levi");
    answers.instead.clear();
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await saved(page);
    expect(current(answers)?.profile.fullName).toBe("Dana of Haifa");
    expect(visitor.noise.filter((noise) => !noise.includes("Failed to load"))).toEqual([]);
    await visitor.leave();
  },
  60_000,
);

test("what is typed before the code that saves it has arrived outlives a reload, and is saved once it has", async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
  let held = 0;
  // Before the first visit: what has arrived once, a browser may keep in memory through a reload.
  const answers = new CvAnswers();
  const { page, visitor } = await visitAccount(stack, `/cv/${cvId}`, {
    language: "en",
    fresh: true,
    alsoAnswer: async (context) => {
      await context.route(/\/assets\/start-saving-/u, async (route) => {
        held += 1;
        await arrived;
        await route.continue();
      });
      await answers.takeOver(context);
      await answerLinks(context, answers.links);
    },
  });
  page.on("dialog", (dialog) => void dialog.accept());
  const name = page.getByLabel(texts.en.cv.profile.fullName, { exact: true });
  await name.fill("Dana at once");
  await page.locator(".cv-save[data-kind=saving]").waitFor();
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Dana at once");
  await expect.poll(() => held).toBe(2);
  expect(current(answers)?.profile.fullName).toBe("Dana Levi");
  arrive(undefined);
  await saved(page);
  expect(current(answers)?.profile.fullName).toBe("Dana at once");
  expect(visitor.noise).toEqual([]);
  await visitor.leave();
}, 60_000);

test.each<Language>(["he"])(
  "in %s a field that was changed elsewhere is shown side by side, and either can be used",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor, answers } = await visitCvs(stack, `/cv/${cvId}`, language);
    const elsewhere = { ...current(answers)?.profile, fullName: "Dana Cohen", place: "Haifa" };
    const first = answers.documents[0];
    if (first === undefined) throw new Error("no document");
    answers.documents.push({ ...first, profile: { ...first.profile, ...elsewhere } });
    answers.at = 1;
    const name = page.getByLabel(t.profile.fullName, { exact: true });
    await name.fill("Dana Katz");
    const conflict = page.locator(".cv-conflicts__field");
    await conflict.waitFor();
    expect(await conflict.locator("dd").allInnerTexts()).toEqual(["Dana Katz", "Dana Cohen"]);
    const place = page.getByLabel(t.profile.place, { exact: true });
    await expect.poll(() => place.inputValue()).toBe("Haifa");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page
      .getByRole("button", { name: new RegExp(`^${t.conflict.useTheirs}`, "u") })
      .press("Enter");
    await expect.poll(() => name.inputValue()).toBe("Dana Cohen");
    await conflict.waitFor({ state: "detached" });
    await expect.poll(() => current(answers)?.profile.fullName).toBe("Dana Cohen");
    await visitor.leave();
  },
  60_000,
);
