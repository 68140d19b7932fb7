import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { build, type InlineConfig } from "vite";

import type { RenderedPage } from "../app/entry-server.tsx";
import type { Route } from "../app/routes.ts";
import { chunkGroups } from "../vite.config.ts";
import { Manifest } from "./manifest.ts";

export const webRoot = join(import.meta.dirname, "..");
const configFile = join(webRoot, "vite.config.ts");
const shared: InlineConfig = { configFile, logLevel: "warn", mode: "production" };

/** The browser code, split by page and language, with hashed names. */
export async function bundleForBrowsers(outDir: string): Promise<Manifest> {
  await build({
    ...shared,
    build: {
      outDir,
      emptyOutDir: true,
      manifest: "manifest.json",
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(webRoot, "app/main.tsx"),
        output: {
          entryFileNames: "assets/[name]-[hash].js",
          chunkFileNames: "assets/[name]-[hash].js",
          assetFileNames: "assets/[name]-[hash][extname]",
          codeSplitting: { groups: chunkGroups },
        },
      },
    },
  });
  const text = await readFile(join(outDir, "manifest.json"), "utf8");
  return Manifest.parse(JSON.parse(text));
}

/** The head script as one line without imports. */
export async function bundleHeadScript(): Promise<string> {
  const result = await build({
    ...shared,
    publicDir: false,
    build: {
      write: false,
      lib: { entry: join(webRoot, "app/entry-head.ts"), formats: ["iife"], name: "head" },
      minify: true,
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const output of outputs) {
    if (!("output" in output)) continue;
    const [chunk] = output.output;
    return chunk.code.trim();
  }
  throw new Error("the head script was not built");
}

export type Renderer = {
  routes: readonly Route[];
  renderPage: (path: string, language: Locale, year: number) => Promise<RenderedPage>;
};

function isRenderer(module: unknown): module is Renderer {
  return (
    typeof module === "object" && module !== null && "renderPage" in module && "routes" in module
  );
}

/** The application for Node, for prerendering. */
export async function bundleRenderer(outDir: string): Promise<Renderer> {
  await build({
    ...shared,
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      outDir,
      emptyOutDir: true,
      ssr: join(webRoot, "app/entry-server.tsx"),
      minify: false,
      rolldownOptions: { output: { entryFileNames: "render.mjs" } },
    },
  });
  const renderer: unknown = await import(pathToFileURL(join(outDir, "render.mjs")).href);
  if (!isRenderer(renderer)) throw new Error("the renderer was not built");
  return renderer;
}
