import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

const Environment = z.object({
  /** Port of the one origin on localhost; 0 takes a free one. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Where everything is kept; relative paths start at the repository. */
  DATA_DIR: z.string().min(1).default(".data"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** Set by npm when it runs a script. */
  npm_lifecycle_event: z.string().optional(),
});

export type StartEnvironment = {
  port: number;
  dataDir: string;
  logLevel: string;
  /** Whether npm runs this; then it is to stop when npm is gone. */
  underNpm: boolean;
};

/**
 * The choices that a caller has.
 * @throws naming the variables that are wrong
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): StartEnvironment {
  // `PORT= npm start` means the default, as if it were not set.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is wrong:\n${wrong.join("\n")}`);
  }
  return {
    port: parsed.data.PORT,
    dataDir: resolve(root, parsed.data.DATA_DIR),
    logLevel: parsed.data.LOG_LEVEL,
    underNpm: parsed.data.npm_lifecycle_event !== undefined,
  };
}
