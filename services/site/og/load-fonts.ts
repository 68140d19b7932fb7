import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import type { CardFonts } from "./card-painter.ts";

const Manifest = z.record(z.string(), z.object({ file: z.string() }));

/**
 * The typefaces of the built site, found by the build's own list of its files.
 * @throws when the site was built without them
 */
export async function loadFonts(webDist: string): Promise<CardFonts> {
  const text = await readFile(join(webDist, "manifest.json"), "utf8");
  const manifest = Manifest.parse(JSON.parse(text));
  const font = async (name: string): Promise<Uint8Array> => {
    const entry = manifest[`fonts/${name}.woff2`];
    if (entry === undefined) throw new Error(`The built site lacks a typeface: ${name}`);
    return readFile(join(webDist, entry.file));
  };
  const family = (name: string, scripts: readonly string[]): Promise<Uint8Array[]> =>
    Promise.all(scripts.map((script) => font(`${name}-${script}`)));
  return {
    display: await family("frank-ruhl-libre", ["latin", "hebrew"]),
    text: await family("heebo", ["latin", "accented", "hebrew"]),
  };
}
