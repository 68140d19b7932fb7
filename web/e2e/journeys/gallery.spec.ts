import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type GalleryServer, startGallery } from "../gallery-server.ts";
import { accessibilityFaults, overflowFaults } from "../page-faults.ts";

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

describe.each([
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "he", theme: "light" },
  { language: "he", theme: "dark" },
])("the gallery in $language, $theme", (look) => {
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
