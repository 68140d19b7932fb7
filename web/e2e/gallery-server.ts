import { join } from "node:path";

import type { Browser, Page } from "playwright-core";
import { build, type InlineConfig, preview } from "vite";

import { builtOnce } from "./built-once.ts";
import { closeContexts, sharedBrowser } from "./kept-contexts.ts";
import { faultFinder } from "./page-faults.ts";

const webRoot = join(import.meta.dirname, "..");

/** As strict as the site's own: no inline style or script, no strings that become code. */
export const strictPolicy = [
  "default-src 'none'",
  ...["script", "style", "img", "font", "connect"].map((kind) => `${kind}-src 'self'`),
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export type Look = {
  language: string;
  theme: string;
  /** In CSS pixels. */
  width?: number;
  /** The component whose page example is shown, instead of the gallery. */
  page?: string;
};

export type OpenGallery = {
  page: Page;
  /** Errors and policy violations that the browser reported. */
  noise: string[];
};

export type GalleryServer = {
  open: (look: Look) => Promise<OpenGallery>;
  stop: () => Promise<void>;
};

async function openIn(browser: Browser, address: string, look: Look): Promise<OpenGallery> {
  const { language, theme, width = 1280, page: name = "" } = look;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(10_000);
  await context.addInitScript(faultFinder);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on("pageerror", (error) => noise.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") noise.push(message.text());
  });
  await page.goto(`${address}?lang=${language}&theme=${theme}&page=${name}`);
  await page.getByRole("main").waitFor();
  return { page, noise };
}

/** Builds the gallery and serves it with a strict content security policy. */
export async function startGallery(): Promise<GalleryServer> {
  const settingsFor = (outDir: string): InlineConfig => ({
    configFile: join(webRoot, "vite.config.ts"),
    logLevel: "silent",
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(webRoot, "gallery/index.html") },
    },
    preview: { port: 0, host: "127.0.0.1", headers: { "content-security-policy": strictPolicy } },
  });
  const outDir = await builtOnce("gallery", (directory) => build(settingsFor(directory)));
  const server = await preview(settingsFor(outDir));
  const [origin = ""] = server.resolvedUrls?.local ?? [];
  const browser = await sharedBrowser();
  return {
    open: (look) => openIn(browser, `${origin}gallery/`, look),
    stop: async () => {
      await closeContexts();
      await server.close();
    },
  };
}
