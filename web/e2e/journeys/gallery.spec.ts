import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { type GalleryServer, startGallery } from "../gallery-server.ts";
import { accessibilityFaults, overflowFaults } from "../page-faults.ts";

/**
 * Rules that axe breaks itself on while the list of a combobox is open. React Aria hides the rest of
 * the page from screen readers then, its heading among it, and draws the named list at the end of the
 * body. axe takes what is hidden for reachable by the keyboard; it is not, because every key and press
 * that leaves the field closes the list first, which the test holds.
 */
const wrongWhileListIsOpen =
  /^(?:aria-hidden-focus|page-has-heading-one|region: <div id="react-aria-)/u;

const webRoot = join(import.meta.dirname, "../..");

let gallery: GalleryServer;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(() => gallery.stop());

test("every component of the design system has examples", async () => {
  const files = await readdir(join(webRoot, "ui"), { recursive: true });
  const sources = files.filter((file) => /^[^.]+\.tsx$/.test(basename(file)));
  // These have no look of their own.
  const components = new Set(sources.map((file) => dirname(file)));
  for (const folder of ["hydration", "react-aria"]) components.delete(folder);
  const { page } = await gallery.open({ language: "en", theme: "light" });
  const shown = await page.locator(".gallery__part > h2").allTextContents();
  expect(shown.slice(1)).toEqual([...components].toSorted());
  await page.context().close();
});

// Contrast depends on the theme alone, order and direction on the language: each is seen once.
const looks = [
  { language: "en", theme: "light" },
  { language: "he", theme: "dark" },
] as const;

describe.each(looks)("the gallery in $language, $theme", (look) => {
  test.each(["", "app-shell"])(
    "has no violation and no noise, fits a small phone: %s",
    async (name) => {
      const { page, noise } = await gallery.open({ ...look, page: name });
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await overflowFaults(page)).toEqual([]);
      expect(noise).toEqual([]);
      await page.context().close();
    },
  );
});

describe.each(looks)("above the gallery in $language, $theme", (look) => {
  test("what opens has no violation", async () => {
    const { page, noise } = await gallery.open(look);
    const part = (name: string) => page.locator(`section[aria-labelledby="${name}"]`);
    // What a menu and a dialog do to the rest of the page is judged once.
    const dialog = { role: "dialog", within: "dialog, [role=dialog]" } as const;
    const overlays = [
      { name: "menu", opener: part("menu").getByRole("button").first(), role: "menu" },
      { name: "sheet", opener: part("dialog").getByRole("button").first(), role: "dialog" },
      { ...dialog, name: "panel", opener: part("dialog").getByRole("button").last() },
      { ...dialog, name: "commands", opener: part("command-menu").getByRole("button") },
      {
        name: "toast",
        opener: part("toast").getByRole("button"),
        role: "status",
        within: "[role=status]",
      },
    ] as const;
    for (const { name, opener, role, ...judged } of overlays) {
      await opener.press("Enter");
      await (name === "toast" ? part("toast") : page).getByRole(role).waitFor();
      expect({ name, faults: await accessibilityFaults(page, judged) }).toEqual({
        name,
        faults: [],
      });
      await page.keyboard.press("Escape");
      if (name !== "toast") await page.getByRole(role).waitFor({ state: "detached" });
    }
    const calendars = part("date-range").getByRole("grid");
    await part("date-range").getByRole("radio").nth(2).press("Space");
    await calendars.first().waitFor();
    expect(await calendars.count()).toBe(2);
    expect(await accessibilityFaults(page, { within: "[aria-labelledby=date-range]" })).toEqual([]);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test("the open list of a combobox has no violation, and every key that leaves closes it first", async () => {
    const { page } = await gallery.open(look);
    // What arrives later would move the field, and the list closes when it is scrolled.
    await page.locator(".data-table__spacer").first().waitFor({ state: "attached" });
    await page.evaluate(async () => (await document.fonts.ready).size);
    const field = page.locator('section[aria-labelledby="combobox"]').getByRole("combobox").first();
    const list = page.getByRole("listbox");
    // Focus that moves into hidden content is seen before the list is gone.
    await page.evaluate(() => {
      document.addEventListener("focusin", ({ target }) => {
        const hidden = target instanceof Element && target.closest("[aria-hidden=true]") !== null;
        if (hidden) document.documentElement.dataset["focusHidden"] = "true";
      });
    });
    const openList = (): Promise<void> =>
      vi.waitFor(
        async () => {
          if (await list.isVisible()) return;
          await field.focus();
          await page.keyboard.press("ArrowDown");
          await list.waitFor({ timeout: 2_000 });
        },
        { timeout: 20_000, interval: 100 },
      );
    await openList();
    const faults = await accessibilityFaults(page);
    expect(faults.filter((fault) => !wrongWhileListIsOpen.test(fault))).toEqual([]);
    for (const key of ["Tab", "Shift+Tab", "Escape"]) {
      await openList();
      await page.keyboard.press(key);
      await list.waitFor({ state: "detached" });
      expect(await page.locator("html[data-focus-hidden]").count()).toBe(0);
    }
    expect(await accessibilityFaults(page, { rules: ["aria-hidden-focus"] })).toEqual([]);
    await page.context().close();
  });
});

test("a long table renders the rows in sight, counts all of them, and keeps one that has focus", async () => {
  const { page } = await gallery.open({ language: "en", theme: "light" });
  const table = page.locator('section[aria-labelledby="data-table"]').getByRole("table").nth(1);
  await table.locator(".data-table__spacer").first().waitFor({ state: "attached" });
  expect(await table.getByRole("row").count()).toBeLessThan(60);
  expect(await table.getAttribute("aria-rowcount")).toBe("5001");
  const box = table.getByRole("checkbox", { name: "Select Company 2", exact: true });
  await box.focus();
  const region = page.getByRole("region", { name: "All companies" });
  await region.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await table.getByText("Company 2500", { exact: true }).waitFor();
  expect(await table.getByText("Company 30", { exact: true }).count()).toBe(0);
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Space");
  expect(await box.isChecked()).toBe(true);
  await region.focus();
  await page.keyboard.press("End");
  const last = table.locator('tr[aria-rowindex="5001"]');
  await last.getByText("Company 5000").waitFor();
  await page.context().close();
});

test("with forced colours only the chosen tab and the current page are marked by a line", async () => {
  const gathered: Record<string, boolean[]> = {};
  for (const [name, marked, edge] of [
    ["", ".tabs__tab", "border-block-end-color"],
    ["app-shell", ".app-shell__navigation .app-shell__link", "border-inline-start-color"],
  ] as const) {
    const { page } = await gallery.open({ language: "en", theme: "light", page: name });
    await page.emulateMedia({ forcedColors: "active" });
    gathered[marked] = await page.locator(marked).evaluateAll((elements, property) => {
      const canvas = getComputedStyle(document.documentElement).backgroundColor;
      const shown = elements.filter((element) => element.checkVisibility());
      return shown.map(
        (element) => getComputedStyle(element).getPropertyValue(property) !== canvas,
      );
    }, edge);
    await page.context().close();
  }
  for (const marks of Object.values(gathered)) expect(marks.filter(Boolean)).toHaveLength(1);
});
