import { linkCalls } from "@pro-talent/schemas/links/calls";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Language, type Stack, startPages } from "../fixtures.ts";
import { answerLinks, linkIdOf, linkOf, links, ok, openLinks, usual } from "../link-answers.ts";
import { texts } from "../texts.ts";

/** The life of a link without a pointer. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

/** The element with the focus: whether it is `target`, and whether it can be seen to have it. */
const focusOn = (target: Locator) =>
  target.evaluate((element) => {
    const focused = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
    const { top, bottom, left, right } = focused.getBoundingClientRect();
    return {
      isTarget: focused === element,
      isMarked: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none",
      isInSight: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
      name: `${focused.tagName} ${focused.id} ${focused.textContent.slice(0, 40)}`,
    };
  });

/** Waits until `target` has the focus and is seen to have it; otherwise what has it is named. */
const expectFocus = (target: Locator) =>
  expect
    .poll(
      async () => {
        const { isTarget, isMarked, isInSight, name } = await focusOn(target);
        return isTarget && isMarked && isInSight ? "seen" : name;
      },
      { timeout: 10_000 },
    )
    .toBe("seen");

/**
 * Presses Tab until `target` has the focus; each stop on the way is seen. The page may still be
 * scrolling to a stop when its focus is read, so that a stop is read until it is seen.
 */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    await expect
      .poll(async () => {
        const { isMarked, isInSight, name } = await focusOn(target);
        return isMarked && isInSight ? "seen" : name;
      })
      .toBe("seen");
    if ((await focusOn(target)).isTarget) return;
  }
  throw new Error("not reached by Tab");
}

const made = linkOf(4, "Initech", {
  target: "external",
  url: "https://example.com/cv",
  file: null,
});
const revoked = { ...made, status: "revoked" };
const answerOf = (link: object) =>
  ok(linkCalls["POST /api/links/:linkId/revoke"].answer.parse({ link }));
const insightsOf = (index: number) => `/api/insights/links/${linkIdOf(index)}`;
const afterMaking = {
  ...usual,
  "/api/links": ok({ links: [made, ...links.links], linksMax: 500 }),
  "POST /api/links": { status: 201, body: answerOf(made).body },
  [`/api/links/${made.linkId}/revoke`]: answerOf(revoked),
  [`/api/links/${made.linkId}/restore`]: answerOf(made),
  [insightsOf(4)]: usual[insightsOf(1)] ?? "awaited",
  [`${insightsOf(4)}/opens`]: usual[`${insightsOf(1)}/opens`] ?? "awaited",
} as const;

async function makeLink(page: Page, language: Language): Promise<void> {
  const { links: t } = texts[language];
  const create = page.getByRole("button", { name: t.create.action, exact: true });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await tabTo(page, dialog.locator("[name=label]"));
  await page.keyboard.type("Initech");
  await tabTo(page, dialog.getByLabel(t.fields.targets.file, { exact: true }));
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press("ArrowDown");
  await expectFocus(dialog.getByLabel(t.fields.targets.external, { exact: true }));
  await tabTo(page, dialog.locator("[name=url]"));
  await page.keyboard.type("https://example.com/cv");
  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("button", { name: `${t.copy.action} Initech` }));
  await page.keyboard.press("Enter");
  await page.getByText(t.copy.done.replace("{{label}}", "Initech")).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${stack.origin}/l/${made.code}`,
  );
  await tabTo(page, dialog.getByRole("button", { name: t.create.finish, exact: true }));
  await page.keyboard.press("Enter");
  await expectFocus(create);
}

/** Limits the page of a link by the period and by a device, and reads its chart. */
async function read(page: Page, language: Language): Promise<void> {
  const { links: t } = texts[language];
  await tabTo(page, page.getByLabel(t.period["30d"], { exact: true }));
  await page.keyboard.press("ArrowDown");
  await expectFocus(page.getByLabel(t.period["90d"], { exact: true }));
  expect(new URL(page.url()).searchParams.get("period")).toBe("90d");
  const chart = page.getByRole("slider", { name: t.time.title, exact: true });
  await tabTo(page, chart);
  expect(await chart.getAttribute("aria-valuetext")).toBe(t.explore);
  await page.keyboard.press("End");
  expect(await chart.getAttribute("aria-valuenow")).toBe("30");
  const last = await chart.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  expect(await chart.getAttribute("aria-valuenow")).toBe("29");
  expect(await chart.getAttribute("aria-valuetext")).not.toBe(last);
  await expectFocus(chart);
  const onlyPhone = t.filter.only.replace("{{name}}", t.devices.mobile);
  const limit = page.getByRole("button", { name: onlyPhone, exact: true });
  await tabTo(page, limit);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).searchParams.get("device")).toBe("mobile");
  await expectFocus(limit);
  await expect.poll(() => limit.getAttribute("aria-pressed")).toBe("true");
}

test.each(["en", "he"] as const)(
  "in %s a link is made, copied, read, revoked and restored with keys alone, and the focus is always seen",
  async (language) => {
    const { links: t } = texts[language];
    const { page, visitor } = await openLinks(stack, "/links", language);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".links__entry").first().waitFor();
    await answerLinks(page.context(), afterMaking);
    await makeLink(page, language);
    await tabTo(page, page.getByRole("link", { name: "Initech", exact: true }));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/links/${made.linkId}`);
    await expect.poll(async () => (await focusOn(page.locator("h1"))).isTarget).toBe(true);
    await read(page, language);

    const revoke = page.getByRole("button", { name: t.revoke.action, exact: true });
    await tabTo(page, revoke, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText(t.revoke.done.replace("{{label}}", "Initech")).waitFor();
    const restore = page.getByRole("button", { name: t.restore.action, exact: true });
    await expectFocus(restore);
    await page.keyboard.press("Enter");
    await page.getByText(t.restore.done.replace("{{label}}", "Initech")).waitFor();
    await expectFocus(revoke);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  },
  60_000,
);
