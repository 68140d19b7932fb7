import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Route } from "../app/routes.ts";
import { languages } from "../i18n/languages.ts";
import {
  bundleHeadScript,
  bundlePublicPages,
  bundleRenderer,
  bundleSignedInArea,
  publicEntry,
  type Renderer,
  shared,
  signedInEntry,
  webRoot,
} from "./bundle.ts";
import { compressFolder } from "./compress.ts";
import { htmlDocument } from "./document.ts";
import { headTags } from "./head-tags.ts";
import { writeLegalVersions } from "./legal-versions.ts";
import { chunkNamed, type Manifest, needsOf, sourcesOf } from "./manifest.ts";
import { dayOfChange, statedDay } from "./page-dates.ts";
import { planNamesIn } from "./plan-names.ts";
import { publish } from "./publish.ts";
import { type ListedPage, llms, robots, sitemap } from "./site-files.ts";
import { structuredData, structuredDataTags } from "./structured-data.ts";
import { bundleViewer } from "./viewer.ts";

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

/** All files that a document loads: those of `entry`, of the shell's texts and of the page. */
function loadsOf(manifest: Manifest, language: Locale, entry: string, route?: Route) {
  const shell = [entry, chunkNamed(manifest, `texts-${language}`)];
  const page = route === undefined ? [] : sourcesOf(route, language);
  const [entryModule = "", ...modules] = needsOf(manifest, [...shell, ...page]).modules;
  // The document holds the sections: it needs their styles, not their code.
  const sections = [`pages/${route?.page}/${route?.page}-sections.tsx`].filter(
    (source) => source in manifest,
  );
  const { styles } = needsOf(manifest, [...shell, ...page, ...sections]);
  return { entry: entryModule, modules, styles, fonts: fontsFor(manifest, language) };
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
    ...loadsOf(site.manifest, language, publicEntry, route),
  });
  const file = join(site.dist, language, fileOf(route));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, document);
  return { route, head, changed };
}

/** One document per language serves all paths of the signed-in area. */
async function writeSignedInDocuments(site: Site, manifest: Manifest): Promise<void> {
  for (const language of languages) {
    const document = htmlDocument({
      language,
      tags: ['<meta name="robots" content="noindex">'],
      empty: true,
      headScript: site.headScript,
      ...(await site.renderer.renderSignedInFrame(language)),
      ...loadsOf(manifest, language, signedInEntry),
    });
    await writeFile(join(site.dist, language, "signed-in.html"), document);
  }
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
  const manifest = await bundlePublicPages(staging);
  const signedIn = await bundleSignedInArea(staging);
  await bundleViewer(staging, shared);
  const headScript = await bundleHeadScript();
  const renderer = await bundleRenderer(scratch);
  const site = { dist: staging, manifest, headScript, renderer };
  const pages = await writePages(site);
  await writeSignedInDocuments(site, signedIn);
  const versions = await writeLegalVersions(staging, (name, language) => {
    const route = renderer.routes.find(({ path }) => path === `/${name}`);
    const { styles, fonts } = loadsOf(manifest, language, publicEntry, route);
    return { headScript, styles, fonts };
  });
  const policy = { scripts: [hashOf(headScript)] };
  await writeFile(join(staging, "csp.json"), `${JSON.stringify(policy)}\n`);
  await writeFile(join(staging, "sitemap.xml"), sitemap(pages));
  await writeFile(join(staging, "robots.txt"), robots());
  await writeFile(join(staging, "llms.txt"), llms(pages));
  await compressFolder(staging);
  return pages.length + versions;
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
