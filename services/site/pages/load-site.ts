import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

export type Encoding = "identity" | "br" | "gzip";

export type Variant = { body: Buffer; etag: string };
/** One answer in every encoding that was prepared for it; `identity` is always there. */
export type Resource = { type: string; variants: ReadonlyMap<Encoding, Variant> };

export type Site = {
  /** By language, then by path: `/`, `/about`. */
  pages: ReadonlyMap<Locale, ReadonlyMap<string, Resource>>;
  /** Files beside the pages: `/favicon.svg`. */
  files: ReadonlyMap<string, Resource>;
  /** What the content security policy lets run inline. */
  scriptHashes: readonly string[];
};

const Policy = z.object({ scripts: z.array(z.string().regex(/^sha256-[A-Za-z0-9+/=]+$/)) });

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};
const suffixes = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

async function loadResource(file: string, names: ReadonlySet<string>): Promise<Resource> {
  const body = await readFile(file);
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const variants = new Map<Encoding, Variant>([["identity", { body, etag: `"${tag}"` }]]);
  for (const [encoding, suffix] of suffixes) {
    if (!names.has(`${file}${suffix}`)) continue;
    variants.set(encoding, {
      body: await readFile(`${file}${suffix}`),
      etag: `"${tag}-${encoding}"`,
    });
  }
  return { type: types[extname(file)] ?? "application/octet-stream", variants };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

async function loadPages(folder: string): Promise<Map<string, Resource>> {
  const files = await filesIn(folder);
  const names = new Set(files);
  const pages = new Map<string, Resource>();
  for (const file of files) {
    if (extname(file) !== ".html") continue;
    const path = file.slice(folder.length, -".html".length);
    pages.set(path === "/index" ? "/" : path, await loadResource(file, names));
  }
  return pages;
}

async function loadFiles(dist: string): Promise<Map<string, Resource>> {
  const names = new Set((await readdir(dist)).map((name) => join(dist, name)));
  const files = new Map<string, Resource>();
  for (const file of names) {
    if (types[extname(file)] === undefined) continue;
    files.set(file.slice(dist.length), await loadResource(file, names));
  }
  return files;
}

async function readPolicy(dist: string): Promise<readonly string[]> {
  try {
    return Policy.parse(JSON.parse(await readFile(join(dist, "csp.json"), "utf8"))).scripts;
  } catch (error) {
    throw new Error("The site is not built. Run: npm run build -w web", { cause: error });
  }
}

/**
 * Reads the built site into memory: pages are few and small, and each is answered in one write.
 * @throws when the site has not been built, or a language lacks the page for unknown paths
 */
export async function loadSite(webDist: string): Promise<Site> {
  const dist = join(webDist, ".").replace(/\/$/, "");
  const scriptHashes = await readPolicy(dist);
  const pages = new Map<Locale, ReadonlyMap<string, Resource>>();
  for (const locale of locales) {
    const translated = await loadPages(join(dist, locale));
    if (!translated.has("/404")) throw new Error(`The built site lacks its 404 page: ${locale}`);
    pages.set(locale, translated);
  }
  return { pages, files: await loadFiles(dist), scriptHashes };
}
