import { limitRate } from "@pro-talent/platform/http/rate-limit";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { holdsVersion } from "../negotiate-encoding.ts";
import { cardTitle } from "./card-title.ts";
import type { ImageCache } from "./image-cache.ts";

/** A title given twice counts as none. */
const Query = z.object({ title: z.string().optional().catch(undefined) });
const monthSeconds = 30 * 24 * 60 * 60;

export type OgRoute = {
  images: ImageCache;
  /** Name of the product: drawn on every card, and its title when there is no other. */
  brand: string;
  /** Images that one address may request in a minute. */
  perMinute: number;
};

/**
 * `GET /api/og?title=…`: the share image of a title, 1200×630. The same title is the same picture,
 * so that any cache may keep it.
 */
export async function addOgRoute(
  app: FastifyInstance,
  { images, brand, perMinute }: OgRoute,
): Promise<void> {
  await limitRate(app, { reads: perMinute });
  app.get("/api/og", async (request, reply) => {
    const title = cardTitle(Query.parse(request.query).title, brand);
    const { png, etag } = await images.image(title);
    reply
      .header("etag", etag)
      .header("cache-control", `public, max-age=${monthSeconds}`)
      // Previews of shared links show the picture on other sites.
      .header("cross-origin-resource-policy", "cross-origin");
    if (holdsVersion(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("image/png").send(png);
  });
}
