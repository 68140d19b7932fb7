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
import { headTags } from "./head-tags.ts";
import { chunkNamed, type Manifest, needsOf } from "./manifest.ts";
import { dayOfChange, statedDay } from "./page-dates.ts";
import { planNamesIn } from "./plan-names.ts";
import { publish } from "./publish.ts";
import { type ListedPage, llms, robots, sitemap } from "./site-files.ts";
import { structuredData, structuredDataTags } from "./structured-data.ts";

/**
 * Builds the site into `dist`: `assets/`, one document per language and route, files for search
 * engines, `.br` and `.gz` beside text files, and `csp.json` with the hashes of inline scripts.
 */
type Site = { dist: string; manifest: Manifest; headScript: string; renderer: Renderer };

/** `/` is `index.html`, `/about` is `about.html`. */
const fileOf = (route: Route): string =>
  `${route.path === "/" ? "index" : route.path.slice(1)}.html`;

/** Fonts of the first lines of a page; a Hebrew page has digits and Latin names too. */
const firstFonts: Readonly<Record<Locale, readonly string[]>> = {
  en: ["heebo-latin", "frank-ruhl-libre-latin"],
  he: ["frank-ruhl-libre-hebrew", "heebo-hebrew", "heebo-latin", "frank-ruhl-libre-latin"],
};

function fontsFor(manifest: Manifest, language: Locale): string[] {
  return firstFonts[language].map((name) => {
    const font = manifest[`fonts/${name}.woff2`];
    if (font === undefined) throw new Error(`no font: ${name}`);
    return `/${font.file}`;
  });
}

const hashOf = (text: string): string =>
  `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** All files that a page loads. */
function loadsOf(site: Site, route: Route, language: Locale) {
  const pageTexts = route.namespaces.map((name) => `i18n/${language}/${name}.json`);
  const shellTexts = chunkNamed(site.manifest, `texts-${language}`);
  const source = `pages/${route.page}/${route.page}-page.tsx`;
  const entry = needsOf(site.manifest, ["app/main.tsx"]);
  const needs = needsOf(site.manifest, ["app/main.tsx", source, shellTexts, ...pageTexts]);
  const [entryModule = ""] = entry.modules;
  return {
    entry: entryModule,
    modules: needs.modules.filter((module) => module !== entryModule),
    styles: needs.styles,
    fonts: fontsFor(site.manifest, language),
  };
}

async function writePage(site: Site, route: Route, language: Locale): Promise<ListedPage> {
  const { html, ...about } = await site.renderer.renderPage(
    route.path,
    language,
    new Date().getFullYear(),
  );
  const { page, path } = route;
  const head = { ...about, path, language, article: page === "what-is-ats" };
  const changed = statedDay(html) ?? (await dayOfChange(webRoot, route, language));
  const planNames = await planNamesIn(language);
  const things = structuredData({ page, head, html, planNames, changed });
  const document = htmlDocument({
    language,
    title: head.title,
    tags: [...headTags(head), ...structuredDataTags(things)],
    html,
    headScript: site.headScript,
    ...loadsOf(site, route, language),
  });
  const file = join(site.dist, language, fileOf(route));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, document);
  return { route, head, changed };
}

async function writePages(site: Site): Promise<ListedPage[]> {
  const pages: ListedPage[] = [];
  for (const language of languages) {
    for (const route of site.renderer.routes) pages.push(await writePage(site, route, language));
  }
  return pages;
}

/** Builds into an empty folder; returns the number of documents. */
async function buildInto(staging: string, scratch: string): Promise<number> {
  const manifest = await bundleForBrowsers(staging);
  const headScript = await bundleHeadScript();
  const renderer = await bundleRenderer(scratch);
  const pages = await writePages({ dist: staging, manifest, headScript, renderer });
  const policy = { scripts: [hashOf(headScript)] };
  await writeFile(join(staging, "csp.json"), `${JSON.stringify(policy)}\n`);
  await writeFile(join(staging, "sitemap.xml"), sitemap(pages));
  await writeFile(join(staging, "robots.txt"), robots());
  await writeFile(join(staging, "llms.txt"), llms(pages));
  await compressFolder(staging);
  return pages.length;
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
