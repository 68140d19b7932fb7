import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";

import { loadFonts, openCardPainter } from "./og/card-painter.ts";
import { createImageCache } from "./og/image-cache.ts";
import { addOgRoute } from "./og/routes.ts";
import { loadSite } from "./pages/load-site.ts";
import { addPageRoutes } from "./pages/routes.ts";
import { addPlainFormRoutes } from "./plain-forms.ts";
import { addSecurityHeaders } from "./security-headers.ts";

export type SiteDependencies = {
  log: Logger;
  /** Folder of the built site. */
  webDist: string;
  /** Scheme, host and port of the site, as in `https://example.com`. */
  publicOrigin: string;
  trustedProxies?: readonly string[];
  /** Share images that one address may request in a minute. */
  imagesPerMinute?: number;
};

const brand = "Pro Talent";

const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Serves the built site: each page in the visitor's language, hashed assets for ever, and a share
 * image for every title.
 * @throws when the site has not been built
 */
export async function buildSiteApp(dependencies: SiteDependencies): Promise<FastifyInstance> {
  const { log, webDist, publicOrigin, trustedProxies = [], imagesPerMinute = 120 } = dependencies;
  const site = await loadSite(webDist, publicOrigin);
  const images = createImageCache(await openCardPainter(await loadFonts(webDist), brand));
  const app = buildServer({ log, publicOrigin, trustedProxies });
  addSecurityHeaders(app, site.scriptHashes);
  addHealthRoutes(app, { ready: [], metrics: new Registry() });
  await app.register(fastifyStatic, {
    root: join(webDist, "assets"),
    prefix: "/assets/",
    index: false,
    immutable: true,
    maxAge: yearSeconds * 1000,
    preCompressed: true,
    decorateReply: false,
  });
  // Of pages that the collector writes: names without a hash, asked about each time.
  await app.register(fastifyStatic, {
    root: join(webDist, "viewer"),
    prefix: "/viewer/",
    index: false,
    preCompressed: true,
    decorateReply: false,
  });
  await app.register(async (scope) => addPlainFormRoutes(scope, publicOrigin));
  await app.register((scope) => addOgRoute(scope, { images, brand, perMinute: imagesPerMinute }));
  addPageRoutes(app, site);
  return app;
}
