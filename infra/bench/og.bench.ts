import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { openCardPainter } from "@pro-talent/site/og/card-painter";
import { createImageCache } from "@pro-talent/site/og/image-cache";
import { addOgRoute } from "@pro-talent/site/og/routes";
import fastify, { type FastifyInstance } from "fastify";

export type OgFigures = { p50Ms: number; p95Ms: number; firstMs: number; cards: number };

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
 * Share images that nobody has asked for before, one after the other, each measured from the request
 * to its last byte. The first one is stated apart: it meets cold code.
 */
export async function benchOg(): Promise<OgFigures> {
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
    times.sort((left, right) => left - right);
    const at = (share: number): number => times[Math.ceil(share * cards) - 1] ?? Number.NaN;
    return { p50Ms: at(0.5), p95Ms: at(0.95), firstMs, cards };
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
