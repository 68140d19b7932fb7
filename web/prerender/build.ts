import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Route } from "../app/routes.ts";
import { languages } from "../i18n/languages.ts";
import {
  bundleForBrowsers,
  bundleHeadScript,
  bundleRenderer,
  type Renderer,
  webRoot,
} from "./bundle.ts";
import { compressFolder } from "./compress.ts";
import { htmlDocument } from "./document.ts";
import { chunkNamed, type Manifest, needsOf } from "./manifest.ts";
import { publish } from "./publish.ts";

/**
 * Builds the site into `dist`: `assets/` for browsers, one document per language and route, `.br` and
 * `.gz` beside every text file, and `csp.json` with the hashes of what is inline.
 */
type Site = { dist: string; manifest: Manifest; headScript: string; renderer: Renderer };

/** `/` is `index.html`, `/about` is `about.html`. */
const fileOf = (route: Route): string =>
  `${route.path === "/" ? "index" : route.path.slice(1)}.html`;

function fontsFor(manifest: Manifest, language: Locale): string[] {
  const scripts = language === "he" ? ["hebrew", "latin"] : ["latin"];
  return scripts.flatMap((script) =>
    ["heebo", "frank-ruhl-libre"].map((family) => {
      const font = manifest[`fonts/${family}-${script}.woff2`];
      if (font === undefined) throw new Error(`no font: ${family}-${script}`);
      return `/${font.file}`;
    }),
  );
}

async function writePage(site: Site, route: Route, language: Locale): Promise<void> {
  const page = await site.renderer.renderPage(route.path, language, new Date().getFullYear());
  const words = route.words.map((name) => `i18n/${language}/${name}.json`);
  const shellWords = chunkNamed(site.manifest, `words-${language}`);
  const source = `app/pages/${route.page}/${route.page}-page.tsx`;
  const entry = needsOf(site.manifest, ["app/main.tsx"]);
  const needs = needsOf(site.manifest, ["app/main.tsx", source, shellWords, ...words]);
  const [entryModule = ""] = entry.modules;
  const html = htmlDocument({
    ...page,
    language,
    headScript: site.headScript,
    entry: entryModule,
    modules: needs.modules.filter((module) => module !== entryModule),
    styles: needs.styles,
    fonts: fontsFor(site.manifest, language),
  });
  const file = join(site.dist, language, fileOf(route));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

/** Builds one site into an empty folder and returns the number of its documents. */
async function buildInto(staging: string, scratch: string): Promise<number> {
  const manifest = await bundleForBrowsers(staging);
  const headScript = await bundleHeadScript();
  const renderer = await bundleRenderer(scratch);
  const site = { dist: staging, manifest, headScript, renderer };
  for (const language of languages) {
    for (const route of renderer.routes) await writePage(site, route, language);
  }
  const hash = createHash("sha256").update(headScript).digest("base64");
  const policy = { scripts: [`sha256-${hash}`] };
  await writeFile(join(staging, "csp.json"), `${JSON.stringify(policy)}\n`);
  await compressFolder(staging);
  return languages.length * renderer.routes.length;
}

async function buildSite(): Promise<void> {
  const started = performance.now();
  const dist = join(webRoot, "dist");
  await mkdir(dist, { recursive: true });
  const workshop = await mkdtemp(join(dist, ".build-"));
  try {
    const pages = await buildInto(join(workshop, "site"), join(workshop, "renderer"));
    await publish(join(workshop, "site"), dist, Date.now());
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${pages} documents in ${seconds} s\n`);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

await buildSite();
