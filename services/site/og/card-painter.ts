import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ImageSource, Renderer } from "takumi-js/node";
import { z } from "zod";

import { cardHeight, cardLayout, cardWidth, pictures } from "./card-layout.ts";
import type { CardTitle } from "./card-title.ts";
import { markSvg, sheetSvg } from "./mark.ts";

/** The files of the product's typefaces. Later ones draw the characters that earlier ones lack. */
export type CardFonts = {
  display: readonly Uint8Array[];
  text: readonly Uint8Array[];
};

/** Draws the share image of one title as a PNG. */
export type CardPainter = (title: CardTitle) => Promise<Buffer>;

const pictureOf = (src: string, svg: string): ImageSource => ({
  src,
  data: new TextEncoder().encode(svg),
});

/** A painter with its typefaces loaded; drawing fetches nothing. */
export async function openCardPainter(fonts: CardFonts, brand: string): Promise<CardPainter> {
  const renderer = new Renderer();
  const families: string[] = [];
  for (const [role, files] of Object.entries(fonts)) {
    for (const [index, data] of files.entries()) {
      const name = `${role}-${index}`;
      await renderer.registerFont({ name, data });
      families.push(name);
    }
  }
  const images = [
    pictureOf(pictures.mark, markSvg(240)),
    pictureOf(pictures.sheetLtr, sheetSvg(false)),
    pictureOf(pictures.sheetRtl, sheetSvg(true)),
  ];
  return (title) =>
    renderer.render(cardLayout(title, brand), {
      width: cardWidth,
      height: cardHeight,
      format: "png",
      images,
      fontFamilies: families,
      lang: title.direction === "rtl" ? "he" : "en",
    });
}

const Manifest = z.record(z.string(), z.object({ file: z.string() }));

/**
 * The typefaces of the built site, found through the manifest of the build.
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
