import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Renderer } from "takumi-js/node";

import { markSvg, paper } from "./og/mark.ts";

/**
 * Draws the icons that must be bitmaps from the product's mark, into `web/public`. Run it when the
 * mark changes: `node services/site/draw-icons.cli.ts`.
 */
const folder = fileURLToPath(new URL("../../web/public", import.meta.url));

/** `share` is how much of the edge the mark takes; systems cut a maskable icon to a circle of 80 %. */
const icons = [
  { file: "icon-192.png", size: 192, share: 0.84, background: paper.canvas },
  { file: "icon-512.png", size: 512, share: 0.84, background: paper.canvas },
  { file: "icon-maskable-512.png", size: 512, share: 0.6, background: paper.canvas },
  { file: "apple-touch-icon.png", size: 180, share: 0.72, background: paper.canvas },
] as const;

const renderer = new Renderer();
for (const { file, size, share, background } of icons) {
  const mark = Math.round(size * share);
  const png = await renderer.render(
    {
      type: "container",
      style: {
        display: "flex",
        alignItems: "center",
        justifyContent: "center",
        width: size,
        height: size,
        backgroundColor: background,
      },
      children: [{ type: "image", src: "mark", width: mark, height: mark }],
    },
    {
      width: size,
      height: size,
      format: "png",
      images: [{ src: "mark", data: new TextEncoder().encode(markSvg(size)) }],
    },
  );
  await writeFile(join(folder, file), png);
  process.stdout.write(`${file}: ${png.length} bytes\n`);
}
