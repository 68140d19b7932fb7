import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";

import { addLanguageRoute } from "./language/routes.ts";
import { loadSite } from "./pages/load-site.ts";
import { addPageRoutes } from "./pages/routes.ts";
import { addSecurityHeaders } from "./security-headers.ts";

export type SiteDependencies = {
  log: Logger;
  /** Folder of the built site. */
  webDist: string;
};

const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Serves the built site: each page in the visitor's language, hashed assets for ever.
 * @throws when the site has not been built
 */
export async function buildSiteApp({ log, webDist }: SiteDependencies): Promise<FastifyInstance> {
  const site = await loadSite(webDist);
  const app = buildServer({ log });
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
  await app.register(async (scope) => addLanguageRoute(scope));
  addPageRoutes(app, site);
  return app;
}
