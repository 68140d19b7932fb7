import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import { originPlaceholder } from "@pro-talent/schemas/site/public-origin";
import { z } from "zod";

import type { Encoding } from "../negotiate-encoding.ts";

export type Variant = { body: Buffer; etag: string };
/** One answer in every encoding that was prepared for it; `identity` is always among them. */
export type Resource = { type: string; variants: ReadonlyMap<Encoding, Variant> };

export type Site = {
  /** By language, then by path: `/`, `/about`. */
  pages: ReadonlyMap<Locale, ReadonlyMap<string, Resource>>;
  /** Files beside the pages: `/favicon.svg`. */
  files: ReadonlyMap<string, Resource>;
  /** What the content security policy lets run inline. */
  scriptHashes: readonly string[];
};

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A few per cent above the smallest size in a tenth of the time: the start waits for all documents. */
const brotliQuality = 6;

const Policy = z.object({ scripts: z.array(z.string().regex(/^sha256-[A-Za-z0-9+/=]+$/)) });

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};
const suffixes = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

type Reading = {
  /** Every file that was built, to find what was compressed beforehand. */
  names: ReadonlySet<string>;
  publicOrigin: string;
};

async function loadResource(file: string, { names, publicOrigin }: Reading): Promise<Resource> {
  const built = await readFile(file);
  const type = types[extname(file)] ?? "application/octet-stream";
  const filled = await fillOrigin(built, publicOrigin);
  const body = filled?.identity ?? built;
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const variants = new Map<Encoding, Variant>([["identity", { body, etag: `"${tag}"` }]]);
  for (const [encoding, suffix] of suffixes) {
    // What was compressed at build time lacks the origin.
    const small =
      filled?.[encoding] ??
      (names.has(`${file}${suffix}`) ? await readFile(`${file}${suffix}`) : undefined);
    if (small !== undefined) variants.set(encoding, { body: small, etag: `"${tag}-${encoding}"` });
  }
  return { type, variants };
}

type Filled = { identity: Buffer; br: Buffer; gzip: Buffer };

/** The text with the origin filled in, compressed anew; undefined when it has no placeholder. */
async function fillOrigin(built: Buffer, publicOrigin: string): Promise<Filled | undefined> {
  if (!built.includes(originPlaceholder)) return undefined;
  const text = built.toString("utf8").replaceAll(originPlaceholder, publicOrigin);
  const identity = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
  return { identity, br, gzip: gz };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

async function loadPages(folder: string, publicOrigin: string): Promise<Map<string, Resource>> {
  const files = await filesIn(folder);
  const names = new Set(files);
  const documents = files.filter((file) => extname(file) === ".html");
  const pages = await Promise.all(
    documents.map(async (file) => {
      const path = file.slice(folder.length, -".html".length);
      const resource = await loadResource(file, { names, publicOrigin });
      return [path === "/index" ? "/" : path, resource] as const;
    }),
  );
  return new Map(pages);
}

async function loadFiles(dist: string, publicOrigin: string): Promise<Map<string, Resource>> {
  const names = new Set((await readdir(dist)).map((name) => join(dist, name)));
  const files = new Map<string, Resource>();
  for (const file of names) {
    if (types[extname(file)] === undefined) continue;
    files.set(file.slice(dist.length), await loadResource(file, { names, publicOrigin }));
  }
  return files;
}

async function readPolicy(dist: string): Promise<readonly string[]> {
  try {
    return Policy.parse(JSON.parse(await readFile(join(dist, "csp.json"), "utf8"))).scripts;
  } catch (error) {
    throw new OperatorError("The site is not built. Run: npm run build -w web", { cause: error });
  }
}

/**
 * Reads the built site into memory: pages are few and small, and each is answered in one write. The
 * public origin is filled in here, because the build cannot know it.
 * @throws when the site has not been built, or a language lacks the page for unknown paths
 */
export async function loadSite(webDist: string, publicOrigin: string): Promise<Site> {
  const dist = join(webDist, ".").replace(/\/$/, "");
  const scriptHashes = await readPolicy(dist);
  const pages = new Map<Locale, ReadonlyMap<string, Resource>>();
  for (const locale of locales) {
    const translated = await loadPages(join(dist, locale), publicOrigin);
    if (!translated.has("/404")) throw new Error(`The built site lacks its 404 page: ${locale}`);
    pages.set(locale, translated);
  }
  return { pages, files: await loadFiles(dist, publicOrigin), scriptHashes };
}
