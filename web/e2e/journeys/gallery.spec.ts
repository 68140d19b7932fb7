import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { type Browser, chromium } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findChromium } from "../../../infra/quality/find-chromium.ts";
import { accessibilityFaults, faultFinder, overflowFaults } from "../page-faults.ts";

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

async function open(look: { language: string; theme: string; page?: string }) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript(faultFinder);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on("pageerror", (error) => noise.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") noise.push(message.text());
  });
  await page.goto(`${address}?lang=${look.language}&theme=${look.theme}&page=${look.page ?? ""}`);
  await page.getByRole("main").waitFor();
  return { context, page, noise };
}

test("every component of the design system has examples", async () => {
  const files = await readdir(join(webRoot, "ui"), { recursive: true });
  const sources = files.filter((file) => /^[^.]+\.tsx$/.test(basename(file)));
  // These have no look of their own.
  const components = new Set(sources.map((file) => dirname(file)));
  for (const folder of ["hydration", "react-aria"]) components.delete(folder);
  const { context, page } = await open({ language: "en", theme: "light" });
  const shown = await page.locator(".gallery__part > h2").allTextContents();
  expect(shown.slice(1)).toEqual([...components].toSorted());
  await context.close();
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
      const { context, page, noise } = await open({ ...look, page: name });
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await overflowFaults(page)).toEqual([]);
      expect(noise).toEqual([]);
      await context.close();
    },
  );
});
