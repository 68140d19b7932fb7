import type { OpenService } from "@pro-talent/platform/runtime/run-service";

import { buildSiteApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

/** Opens the site. @throws also when it has not been built */
export const openSite: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const app = await buildSiteApp({
    log,
    webDist: env.WEB_DIST,
    publicOrigin: env.PUBLIC_ORIGIN,
    trustedProxies: env.TRUSTED_PROXIES,
  });
  return { app, close: () => app.close() };
};
