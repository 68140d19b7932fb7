import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { openCardPainter } from "@pro-talent/site/og/card-painter";
import { createImageCache } from "@pro-talent/site/og/image-cache";
import { addOgRoute } from "@pro-talent/site/og/routes";
import fastify, { type FastifyInstance } from "fastify";

import { latencies } from "./figures.ts";

const cards = 200;
const words = [
  "Know when",
  "קורות חיים",
  "your CV",
  "2026",
  "is opened",
  "מערכות סינון",
  "(and why)",
];
const fonts = fileURLToPath(new URL("../../web/fonts", import.meta.url));

const readFont = (name: string): Promise<Uint8Array> => readFile(`${fonts}/${name}.woff2`);

/** Titles of two to twelve words in two languages, no two alike. */
function titleOf(index: number): string {
  const length = 2 + (index % 11);
  const chosen = Array.from({ length }, (_, step) => words[(index + step * 3) % words.length]);
  return `${chosen.join(" ")} ${index}`;
}

/**
 * Share images that were not asked for before, one after the other, each measured from the request
 * to its last byte. The first one is printed apart: the code is not compiled yet.
 */
export async function benchOg(): Promise<void> {
  const brand = "Pro Talent";
  const families = ["frank-ruhl-libre", "heebo"].map((family) =>
    Promise.all([readFont(`${family}-latin`), readFont(`${family}-hebrew`)]),
  );
  const [display = [], text = []] = await Promise.all(families);
  const images = createImageCache(await openCardPainter({ display, text }, brand));
  const app = fastify();
  await addOgRoute(app, { images, brand, perMinute: cards + 1 });
  try {
    const firstMs = await measure(app, 0);
    const times: number[] = [];
    for (let index = 1; index <= cards; index += 1) times.push(await measure(app, index));
    console.log(`\nshare images, ${cards} titles that were not asked for before`);
    console.log(`  ${latencies(times)}  the very first ${firstMs.toFixed(1)} ms`);
  } finally {
    await app.close();
  }
}

async function measure(app: FastifyInstance, index: number): Promise<number> {
  const begin = performance.now();
  const answer = await app.inject(`/api/og?title=${encodeURIComponent(titleOf(index))}`);
  if (answer.statusCode !== 200) throw new Error(`A share image was refused: ${answer.body}`);
  return performance.now() - begin;
}
