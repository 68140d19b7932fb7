import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type GalleryServer, type OpenGallery, startGallery } from "../gallery-server.ts";
import { accessibilityFaults } from "../page-faults.ts";

/** The components of the signed-in area by keyboard, in both directions. */
let server: GalleryServer;
beforeAll(async () => {
  server = await startGallery();
});
afterAll(() => server.stop());

type Look = { language: "en" | "he"; width?: number; page?: string };
const galleries = new Map<string, OpenGallery>();

/** Loading the gallery takes most of the time, so tests of one look share it. */
async function galleryOf(look: Look): Promise<OpenGallery> {
  const key = JSON.stringify(look);
  const gallery = galleries.get(key) ?? (await server.open({ ...look, theme: "light" }));
  galleries.set(key, gallery);
  return gallery;
}

/** Runs the steps, which each begin by moving focus and must cause no errors. */
async function inGallery(look: Look, steps: (page: Page) => Promise<void>): Promise<void> {
  const { page, noise } = await galleryOf(look);
  try {
    await steps(page);
    expect(noise).toEqual([]);
  } catch (error) {
    // What a failed test has left open must not fail the next one.
    galleries.clear();
    throw error;
  }
}

const part = (page: Page, name: string) => page.locator(`section[aria-labelledby="${name}"]`);
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const textIn = (language: Look["language"]) => (english: string, hebrew: string) =>
  language === "en" ? english : hebrew;

describe.each<Look["language"]>(["en", "he"])("by keyboard in %s", (language) => {
  const text = textIn(language);

  test("a chart over time goes from left to right and its value is live", async () => {
    await inGallery({ language }, async (page) => {
      const plot = part(page, "charts").getByRole("slider", {
        name: text("Opens by day", "פתיחות לפי יום"),
      });
      const value = () => plot.getAttribute("aria-valuetext");
      const rest = await value();
      await plot.focus();
      await page.keyboard.press("End");
      expect(await value()).toContain("18");
      await page.keyboard.press("ArrowLeft");
      expect(await value()).toContain("17");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      expect(await value()).toContain(text("January 6, 2026. Opens: 1", "6 בינואר 2026"));
      expect(await plot.getAttribute("aria-valuenow")).toBe("2");
      await page.keyboard.press("Escape");
      // With a modifier a key is the browser's.
      await page.keyboard.press("Control+End");
      expect(await value()).toBe(rest);
    });
  });

  test("tabs follow the arrow that points to the next one", async () => {
    await inGallery({ language }, async (page) => {
      const tabs = part(page, "tabs");
      await tabs.getByRole("tab").first().focus();
      await page.keyboard.press(text("ArrowRight", "ArrowLeft"));
      const shown = tabs.getByRole("tab", { selected: true });
      expect(await shown.textContent()).toBe(text("Places", "מקומות"));
      await page.keyboard.press("End");
      expect(await tabs.getByRole("tabpanel").textContent()).toBe(
        text("Three bots.", "שלושה בוטים."),
      );
    });
  });

  test("a panel is at the end of the screen and gives focus back", async () => {
    await inGallery({ language }, async (page) => {
      const open = part(page, "dialog").getByRole("button").last();
      await open.press("Enter");
      const panel = page.getByRole("dialog");
      const { x, width = 0, height } = (await panel.boundingBox()) ?? {};
      expect({ x, height }).toEqual({ x: language === "he" ? 0 : 1280 - width, height: 800 });
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      expect(await focusedText(page)).toBe(text("Open the panel", "לפתוח את הלוח"));
    });
  });

  test("a combobox finds an option by a part of its name", async () => {
    await inGallery({ language }, async (page) => {
      const field = part(page, "combobox").getByRole("combobox").first();
      await field.focus();
      // As fast as a person types.
      await page.keyboard.type(text("unit", "ממל"), { delay: 30 });
      const options = page.getByRole("listbox").getByRole("option");
      await expect.poll(() => options.count()).toBe(language === "en" ? 2 : 1);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect.poll(() => field.inputValue()).toBe(text("United States", "הממלכה המאוחדת"));
      await expect.poll(() => options.count()).toBe(0);
    });
  });

  test("a period is a preset, or two days of the calendar", async () => {
    await inGallery({ language }, async (page) => {
      const range = part(page, "date-range").locator("figure").first();
      await range.getByRole("radio").first().focus();
      await page.keyboard.press("ArrowUp");
      const grid = range.getByRole("grid");
      await grid.waitFor();
      const days = grid.getByRole("button", { disabled: false });
      await days.first().focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press(text("ArrowRight", "ArrowLeft"));
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      // Choosing the first day has moved focus on by one already.
      expect(await range.getByRole("status").textContent()).toMatch(/-01 \/ .*-10$/u);
    });
  });
});

// What does not depend on the direction is shown in one language; what opens is judged in gallery.spec.ts.
describe.each<Look["language"]>(["en"])("by keyboard in %s", (language) => {
  const text = textIn(language);

  test("a table is sorted, filtered and selected from", async () => {
    await inGallery({ language }, async (page) => {
      const table = part(page, "data-table").getByRole("table").first();
      const names = () => table.locator("tbody th").allTextContents();
      const sort = table.getByRole("button", { name: text("Opens", "פתיחות") });
      await sort.focus();
      await page.keyboard.press("Enter");
      expect(await names()).toEqual(["Vega Systems (Berlin)", "Acme", "אוריון בע״מ"]);
      const header = table.getByRole("columnheader", { name: text("Opens", "פתיחות") });
      expect(await header.getAttribute("aria-sort")).toBe("ascending");
      await page.keyboard.press("Enter");
      expect(await header.getAttribute("aria-sort")).toBe("descending");
      expect((await names())[0]).toBe("אוריון בע״מ");

      await table.getByRole("checkbox").first().focus();
      await page.keyboard.press("Space");
      await part(page, "data-table").getByText(text("3 selected", "נבחרו 3")).waitFor();

      const filter = part(page, "data-table").getByRole("searchbox").first();
      await filter.focus();
      await page.keyboard.type("ACME");
      expect(await names()).toEqual(["Acme"]);
      await page.keyboard.type("x");
      await page.keyboard.press("Tab");
      await part(page, "data-table")
        .getByRole("button", { name: text("Clear the filter", "לנקות את הסינון") })
        .press("Enter");
      expect(await filter.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await names()).toHaveLength(3);
    });
  });

  test.each(["bar", "map"])("a %s chart is read from its largest value down", async (kind) => {
    await inGallery({ language }, async (page) => {
      const plot = part(page, "charts")
        .getByRole("slider")
        .nth(kind === "bar" ? 1 : 3);
      await plot.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const second = kind === "bar" ? text("Mail: 9", "דוא״ל: 9") : text("United States: 8", "8");
      expect(await plot.getAttribute("aria-valuetext")).toContain(second);
    });
  });

  test("a tooltip describes its control while it has focus", async () => {
    await inGallery({ language }, async (page) => {
      const button = part(page, "tooltip").getByRole("button");
      // A page that is scrolled hides it, also when focus does: both controls are in sight before.
      await button.evaluate(async (element) => {
        element.scrollIntoView({ block: "center" });
        for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
      });
      // Focus shows it only if the keyboard has moved it.
      await button.focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      const tooltip = page.getByRole("tooltip");
      await tooltip.waitFor();
      const id = await tooltip.getAttribute("id");
      expect(await button.getAttribute("aria-describedby")).toBe(id);
      await page.keyboard.press("Escape");
      await tooltip.waitFor({ state: "detached" });
    });
  });

  test("the command menu opens by its shortcut, finds a keyword and runs it", async () => {
    await inGallery({ language }, async (page) => {
      await page.keyboard.press("Control+KeyK");
      const panel = page.getByRole("dialog");
      await panel.getByRole("textbox").waitFor();
      await page.keyboard.type(text("NEW", "חדש"));
      await expect.poll(() => panel.getByRole("menuitem").count()).toBe(1);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await panel.waitFor({ state: "detached" });
      expect(await part(page, "command-menu").getByRole("status").textContent()).toBe("create");
    });
  });
});

describe.each<Look["language"]>(["he"])("by keyboard in %s", (language) => {
  const text = textIn(language);

  test("under 480 px a row is a card that keeps its roles and names its values", async () => {
    await inGallery({ language, width: 360 }, async (page) => {
      const table = part(page, "data-table").getByRole("table").first();
      const cell = table.getByRole("row").nth(1).getByRole("cell").nth(2);
      const label = await cell.evaluate((td) => getComputedStyle(td, "::before").content);
      expect(label).toContain(text("Opens", "פתיחות"));
      expect(await table.getByRole("columnheader").count()).toBe(4);
    });
  });

  test("every chart shows its data as a table", async () => {
    await inGallery({ language }, async (page) => {
      for (const summary of await part(page, "charts").locator("summary").all()) {
        await summary.press("Enter");
      }
      const tables = part(page, "charts").getByRole("table");
      expect(await tables.count()).toBe(4);
      expect(await tables.first().getByRole("row").count()).toBe(15);
      expect(await accessibilityFaults(page, { within: "[aria-labelledby=charts]" })).toEqual([]);
    });
  });

  test("on a phone the menu has all pages, the bottom bar the first five", async () => {
    await inGallery({ language, width: 360, page: "app-shell" }, async (page) => {
      const bar = page.getByRole("navigation", { name: text("Navigation", "ניווט"), exact: true });
      expect(await bar.getByRole("link").count()).toBe(5);
      await page.getByRole("button", { name: text("Menu", "תפריט") }).press("Enter");
      const drawer = page.getByRole("dialog");
      expect(await drawer.getByRole("link").count()).toBe(6);
      expect(await accessibilityFaults(page, { within: "dialog, [role=dialog]" })).toEqual([]);
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      expect(await focusedText(page)).toBe(text("Menu", "תפריט"));
    });
  });

  test("a menu opens by arrow, runs an action, and gives focus back", async () => {
    await inGallery({ language }, async (page) => {
      const button = part(page, "menu").getByRole("button").first();
      await button.focus();
      await page.keyboard.press("ArrowUp");
      const menu = page.getByRole("menu");
      await menu.waitFor();
      await expect.poll(() => focusedText(page)).toBe(text("Delete", "למחוק"));
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "detached" });
      await expect.poll(() => focusedText(page)).toBe(text("Actions", "פעולות"));
      await page.keyboard.press("Enter");
      await menu.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await menu.waitFor({ state: "detached" });
      expect(await part(page, "menu").getByRole("status").textContent()).toBe("copy");
    });
  });

  test("a toast is announced and stays while it has focus or the pointer", async () => {
    await inGallery({ language }, async (page) => {
      await page.clock.install();
      await part(page, "toast").getByRole("button").press("Enter");
      const undo = page.getByRole("button", { name: text("Undo", "לבטל") });
      await undo.focus();
      await page.clock.runFor(60_000);
      expect(await undo.isVisible()).toBe(true);
      await part(page, "toast").getByRole("button").first().focus();
      await undo.hover();
      await page.clock.runFor(60_000);
      expect(await undo.isVisible()).toBe(true);
      await page.mouse.move(0, 0);
      await page.clock.runFor(10_000);
      await undo.waitFor({ state: "detached" });
      await page.clock.resume();
    });
  });
});
