import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { parseEnv, trustedProxies } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

const shape = {
  /** Port of the one origin on localhost; 0 takes a free one. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Where everything is kept; relative paths start at the repository. */
  DATA_DIR: z.string().min(1).default(".data"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** `off`: without invented people and their history. */
  DEMO: z.enum(["on", "off"]).default("on"),
  /** Read by the services; checked here, before anything is started. */
  TRUSTED_PROXIES: trustedProxies,
  /** Set by npm when it runs a script. */
  npm_lifecycle_event: z.string().optional(),
};

/**
 * The choices that a caller has. `underNpm`: npm runs this; then it is to stop when npm is gone.
 * @throws naming the variables that are wrong
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env) {
  // `PORT= npm start` means the default, as if it were not set.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const env = parseEnv(shape, given);
  return {
    port: env.PORT,
    dataDir: resolve(root, env.DATA_DIR),
    logLevel: env.LOG_LEVEL,
    demo: env.DEMO === "on",
    underNpm: env.npm_lifecycle_event !== undefined,
  };
}
