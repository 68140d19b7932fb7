import { type ImageSource, Renderer } from "takumi-js/node";

import { cardHeight, cardLayout, cardWidth, pictures } from "./card-layout.ts";
import type { CardTitle } from "./card-title.ts";
import { markSvg, sheetSvg } from "./mark.ts";

/** The files of the product's typefaces. Later ones set the letters that earlier ones lack. */
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

/** A painter with its typefaces loaded; nothing is fetched from anywhere while it draws. */
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
