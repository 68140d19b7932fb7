import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { cvId, visitCvs } from "../cv-answers.ts";
import { type Language, type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** Parts of a CV are ordered by a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const isolated = (name: string): string => `\u2068${name}\u2069`;
const menuOf = (page: Page, language: Language, name: string) =>
  page.getByRole("button", {
    name: texts[language].cv.order.menuOf.replace("{{name}}", isolated(name)),
    exact: true,
  });

/** Drags a part by its button over another part, in small steps as a hand does. */
async function drag(page: Page, handle: Locator, over: Locator): Promise<void> {
  await handle.scrollIntoViewIfNeeded();
  const [from, to] = [await handle.boundingBox(), await over.boundingBox()];
  if (from === null || to === null) throw new Error("nothing to drag");
  const x = from.x + from.width / 2;
  await page.mouse.move(x, from.y + from.height / 2);
  await page.mouse.down();
  const edge = to.y < from.y ? to.y + 2 : to.y + to.height - 2;
  await page.mouse.move(x, edge, { steps: 12 });
  await page.mouse.up();
}

test.each(["en", "he"] as const)(
  "in %s positions and sections are dragged to another place, which is said and saved, and opens no menu",
  async (language) => {
    const { cv: t } = texts[language];
    const { page, visitor, answers } = await visitCvs(stack, `/cv/${cvId}`, language);
    const titles = page.locator(".cv-entry__toggle .cv-entry__title");
    await expect.poll(() => titles.allInnerTexts()).toEqual(["Head nurse", "Nurse"]);
    const entries = page.locator(".cv-entry");
    await drag(page, menuOf(page, language, "Head nurse"), entries.last());
    await expect.poll(() => titles.allInnerTexts()).toEqual(["Nurse", "Head nurse"]);
    const said = t.order.moved
      .replace("{{name}}", isolated("Head nurse"))
      .replace("{{place}}", "2");
    await expect.poll(() => page.getByText(said).count()).toBe(1);

    const sections = page.locator(".cv-section");
    await drag(page, menuOf(page, language, t.kinds.experience), sections.first());
    const names = page.locator("li.cv-section > section > .cv-section__head > h2");
    await expect.poll(() => names.allInnerTexts()).toEqual([t.kinds.experience, t.kinds.summary]);
    expect(await page.getByRole("menu").count()).toBe(0);
    await page.locator(".cv-save[data-kind=saved]").waitFor();
    const saved = answers.documents[answers.at];
    expect(saved?.sections.map(({ id }) => id)).toEqual(["s2", "s1"]);
    expect(saved?.sections[0]?.entries.map(({ id }) => id)).toEqual(["e2", "e1"]);

    await menuOf(page, language, "Nurse").click();
    await page.getByRole("menuitem", { name: t.order.down, exact: true }).waitFor();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);
