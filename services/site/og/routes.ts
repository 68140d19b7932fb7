import rateLimit from "@fastify/rate-limit";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { holdsVersion } from "../negotiate-encoding.ts";
import type { CardShelf } from "./card-shelf.ts";
import { cardTitle } from "./card-title.ts";

/** A title given twice is as good as none. */
const Query = z.object({ title: z.string().optional().catch(undefined) });
const monthSeconds = 30 * 24 * 60 * 60;

export type OgRoute = {
  shelf: CardShelf;
  /** Name of the product: drawn on every card, and its title when there is no other. */
  brand: string;
  /** Cards that one address may ask for in a minute. */
  perMinute: number;
};

/**
 * `GET /api/og?title=…`: the share image of a title, 1200×630. The same title is the same picture,
 * so that everybody may keep it. Addresses are counted in memory only.
 */
export async function addOgRoute(
  app: FastifyInstance,
  { shelf, brand, perMinute }: OgRoute,
): Promise<void> {
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, context) =>
      new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
  app.get("/api/og", async (request, reply) => {
    const title = cardTitle(Query.parse(request.query).title, brand);
    const { png, etag } = await shelf.card(title);
    reply
      .header("etag", etag)
      .header("cache-control", `public, max-age=${monthSeconds}`)
      // Previews of shared links show the picture on other sites.
      .header("cross-origin-resource-policy", "cross-origin");
    if (holdsVersion(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("image/png").send(png);
  });
}
