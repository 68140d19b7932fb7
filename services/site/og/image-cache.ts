import { createHash } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";

import type { CardPainter } from "./card-painter.ts";
import type { CardTitle } from "./card-title.ts";

export type ShareImage = { png: Buffer; etag: string };

export type ImageCache = {
  /** @throws ProblemError `upstream_unavailable` when too many images wait to be drawn */
  image(title: CardTitle): Promise<ShareImage>;
};

export type ImageCacheLimits = {
  /** Images kept in memory; the least recently used one is dropped first. */
  keptMax: number;
  /** Images drawn at the same time. */
  drawingMax: number;
  /** Images that may wait to be drawn; beyond it requests are refused. */
  waitingMax: number;
};

const defaults: ImageCacheLimits = { keptMax: 256, drawingMax: 2, waitingMax: 32 };

/**
 * Share images by title. Requests for one title share one drawing, a few are drawn at a time, and
 * each is kept while there is space. A drawing that failed is not kept.
 */
export function createImageCache(
  paint: CardPainter,
  { keptMax, drawingMax, waitingMax }: ImageCacheLimits = defaults,
): ImageCache {
  const limit = pLimit(drawingMax);
  const draw = async (title: CardTitle): Promise<ShareImage> => {
    if (limit.pendingCount >= waitingMax) {
      throw new ProblemError("upstream_unavailable", { retryAfterSeconds: 1 });
    }
    const png = await limit(paint, title);
    const tag = createHash("sha256").update(png).digest("base64url").slice(0, 22);
    return { png, etag: `"${tag}"` };
  };
  const images = new LRUCache<string, ShareImage, CardTitle>({
    max: keptMax,
    // What is dropped while it is drawn is still answered.
    ignoreFetchAbort: true,
    fetchMethod: (_text, _stale, { context }) => draw(context),
  });
  return { image: (title) => images.forceFetch(title.text, { context: title }) };
}
