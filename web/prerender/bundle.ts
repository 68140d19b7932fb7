import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { build, type InlineConfig, type Plugin } from "vite";

import type { RenderedPage } from "../app/entry-server.tsx";
import type { Route } from "../app/routes.ts";
import { publicChunks, publicPlugins, signedInChunks, signedInPlugins } from "../vite.config.ts";
import { Manifest } from "./manifest.ts";

export const webRoot = join(import.meta.dirname, "..");
const configFile = join(webRoot, "vite.config.ts");
export const shared: InlineConfig = { configFile, logLevel: "warn", mode: "production" };

type Bundle = {
  /** Folder of the build; `assets/` in it gets the files. */
  outDir: string;
  entry: string;
  manifest: string;
  plugins: Plugin[];
  groups: { name: string; test: RegExp }[];
};

async function bundle({ outDir, entry, manifest, plugins, groups }: Bundle): Promise<Manifest> {
  await build({
    ...shared,
    plugins,
    build: {
      outDir,
      emptyOutDir: false,
      manifest,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(webRoot, entry),
        output: {
          entryFileNames: "assets/[name]-[hash:7].js",
          chunkFileNames: "assets/[name]-[hash:7].js",
          assetFileNames: "assets/[name]-[hash:7][extname]",
          codeSplitting: { groups },
        },
      },
    },
  });
  const text = await readFile(join(outDir, manifest), "utf8");
  return Manifest.parse(JSON.parse(text));
}

export const publicEntry = "app/main.tsx";
export const signedInEntry = "app/signed-in/main.tsx";
export const signedInManifest = "manifest-signed-in.json";

/** The code of the public pages, split by page and language, with hashed names. */
export function bundlePublicPages(outDir: string): Promise<Manifest> {
  return bundle({
    outDir,
    entry: publicEntry,
    manifest: "manifest.json",
    plugins: publicPlugins(),
    groups: publicChunks,
  });
}

/**
 * The code of the signed-in area. A build of its own: in a common one the public pages would carry
 * the parts of shared libraries that only this area uses, such as the data router.
 */
export function bundleSignedInArea(outDir: string): Promise<Manifest> {
  return bundle({
    outDir,
    entry: signedInEntry,
    manifest: signedInManifest,
    plugins: signedInPlugins(),
    groups: signedInChunks,
  });
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
  renderSignedInFrame: (language: Locale) => Promise<{ title: string; html: string }>;
  renderPage: (path: string, language: Locale, year: number) => Promise<RenderedPage>;
};

function isRenderer(module: unknown): module is Renderer {
  return (
    typeof module === "object" &&
    module !== null &&
    "renderPage" in module &&
    "renderSignedInFrame" in module
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
