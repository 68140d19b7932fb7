import { join } from "node:path";

import { type Browser, chromium, type Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findChromium } from "../../../infra/quality/find-chromium.ts";
import { accessibilityFaults, faultFinder } from "../page-faults.ts";

/** The components of the signed-in area by keyboard, in both directions. */
const webRoot = join(import.meta.dirname, "../..");

let server: ViteDevServer;
let browser: Browser;
let address: string;

beforeAll(async () => {
  server = await createServer({
    configFile: join(webRoot, "vite.config.ts"),
    logLevel: "silent",
    server: { port: 0, host: "127.0.0.1", hmr: false, watch: null },
  });
  await server.listen();
  const [origin = ""] = server.resolvedUrls?.local ?? [];
  address = `${origin}gallery/`;
  browser = await chromium.launch(findChromium());
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

type Look = { language: "en" | "he"; width?: number; page?: string };

type Gallery = { page: Page; noise: string[] };
const galleries = new Map<string, Gallery>();

/** Loading the gallery takes most of the time, so tests of one look share it. */
async function galleryOf({ language, width = 1280, page: name = "" }: Look): Promise<Gallery> {
  const key = `${language} ${width} ${name}`;
  const known = galleries.get(key);
  if (known !== undefined) return known;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    reducedMotion: "reduce",
  });
  await context.addInitScript(faultFinder);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on("pageerror", (error) => noise.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") noise.push(message.text());
  });
  await page.goto(`${address}?lang=${language}&theme=light&page=${name}`);
  await page.getByRole("main").waitFor();
  const gallery = { page, noise };
  galleries.set(key, gallery);
  return gallery;
}

/** Runs the steps, which each begin by moving focus and must cause no errors. */
async function inGallery(look: Look, steps: (page: Page) => Promise<void>): Promise<void> {
  const { page, noise } = await galleryOf(look);
  await steps(page);
  expect(noise).toEqual([]);
}

const part = (page: Page, name: string) => page.locator(`section[aria-labelledby="${name}"]`);
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe.each(["en", "he"] as const)("by keyboard in %s", (language) => {
  const text = (english: string, hebrew: string) => (language === "en" ? english : hebrew);

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

  test("a long table renders what is in sight and counts all its rows", async () => {
    await inGallery({ language }, async (page) => {
      const table = part(page, "data-table").getByRole("table").nth(1);
      const region = part(page, "data-table").getByRole("region");
      await table.locator(".data-table__spacer").waitFor({ state: "attached" });
      expect(await table.getByRole("row").count()).toBeLessThan(60);
      expect(await table.getAttribute("aria-rowcount")).toBe("5001");
      await region.focus();
      await page.keyboard.press("End");
      const last = table.locator('tr[aria-rowindex="5001"]');
      await last.waitFor();
      expect(await last.textContent()).toContain("Company 5000");
    });
  });

  test("under 480 px a row is a card that keeps its roles and names its values", async () => {
    await inGallery({ language, width: 360 }, async (page) => {
      const table = part(page, "data-table").getByRole("table").first();
      const cell = table.getByRole("row").nth(1).getByRole("cell").nth(2);
      const label = await cell.evaluate((td) => getComputedStyle(td, "::before").content);
      expect(label).toContain(text("Opens", "פתיחות"));
      expect(await table.getByRole("columnheader").count()).toBe(4);
    });
  });

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
      expect(await value()).toBe(rest);
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

  test("every chart shows its data as a table", async () => {
    await inGallery({ language }, async (page) => {
      for (const summary of await part(page, "charts").locator("summary").all()) {
        await summary.press("Enter");
      }
      const tables = part(page, "charts").getByRole("table");
      expect(await tables.count()).toBe(4);
      expect(await tables.first().getByRole("row").count()).toBe(15);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  test("on a phone the drawer holds what the bottom bar has no space for", async () => {
    await inGallery({ language, width: 360, page: "app-shell" }, async (page) => {
      const bar = page.getByRole("navigation", { name: text("Navigation", "ניווט"), exact: true });
      expect(await bar.getByRole("link").count()).toBe(4);
      const more = page.getByRole("button", { name: text("More", "עוד") });
      await more.press("Enter");
      const drawer = page.getByRole("dialog");
      expect(await drawer.getByRole("link").count()).toBe(6);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      expect(await focusedText(page)).toBe(text("More", "עוד"));
    });
  });

  test("the skip link is first and leads to the content", async () => {
    await inGallery({ language, page: "app-shell" }, async (page) => {
      await page.keyboard.press("Tab");
      expect(await focusedText(page)).toBe(text("Skip to the content", "דילוג לתוכן"));
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    });
  });
});
