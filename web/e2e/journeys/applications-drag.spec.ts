import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { stageIdOf, visitApplications } from "../application-answers.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** Cards are carried over the board by a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const column = (page: Page, stage: number): Locator =>
  page.locator(`[data-stage="${stageIdOf(stage)}"]`);
const namesIn = (page: Page, stage: number) =>
  column(page, stage).locator(".slip__company").allInnerTexts();

/** Carries a card over another element, in small steps as a hand does, and puts it down or not. */
async function drag(page: Page, card: Locator, over: Locator, drop = true): Promise<void> {
  // Waits until the card stands still.
  await card.hover({ position: { x: 60, y: 12 } });
  const to = await over.boundingBox();
  if (to === null) throw new Error("nowhere to drag to");
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 12, { steps: 12 });
  await page.locator(".slip-carried").waitFor();
  // Where the card would go is drawn in the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  if (!drop) await page.keyboard.press("Escape");
  await page.mouse.up();
}

test.each(["en", "he"] as const)(
  "in %s a card is dragged to the next stage, above another card, back again, and kept by Escape",
  async (language) => {
    const { applications: t } = texts[language];
    const { page, visitor, answers } = await visitApplications(stack, "/applications", language);
    const card = (name: string) => page.locator("[data-application]", { hasText: name });
    await card("Acme").waitFor();
    // The next stage is on the side where the page reads on.
    const [applied, interviews] = [
      await column(page, 1).boundingBox(),
      await column(page, 2).boundingBox(),
    ];
    expect(Math.sign((interviews?.x ?? 0) - (applied?.x ?? 0))).toBe(language === "en" ? 1 : -1);

    await drag(page, card("Acme"), card("בנק ירושלים"), false);
    await expect.poll(() => namesIn(page, 1)).toEqual(["Acme", "Globex"]);
    expect(answers.calls).not.toContain("POST /api/applications/moves");

    await drag(page, card("Acme"), card("בנק ירושלים"));
    await expect.poll(() => namesIn(page, 2)).toEqual(["Acme", "בנק ירושלים"]);
    await page.locator(".slip-carried").waitFor({ state: "detached" });
    await drag(page, card("בנק ירושלים"), card("Globex"));
    await expect.poll(() => namesIn(page, 1)).toEqual(["בנק ירושלים", "Globex"]);
    expect(await namesIn(page, 2)).toEqual(["Acme"]);
    expect(answers.calls.filter((call) => call === "POST /api/applications/moves")).toHaveLength(2);
    // The end of a drag opens no application.
    expect(new URL(page.url()).pathname).toBe("/applications");
    await page.getByRole("button", { name: t.undo, exact: true }).first().waitFor();
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
);
