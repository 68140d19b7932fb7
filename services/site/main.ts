import { listen } from "@pro-talent/platform/http/listen";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildSiteApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

const env = readServiceEnv();
const log = createLogger({ service: "site", level: env.LOG_LEVEL });
const app = await buildSiteApp({
  log,
  webDist: env.WEB_DIST,
  publicOrigin: env.PUBLIC_ORIGIN,
  trustedProxies: env.TRUSTED_PROXIES,
});
const shutdown = new Shutdown(log);
shutdown.add("http", () => app.close());
shutdown.listen();
await listen(app, env);
log.info("site is ready");
