import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { z } from "zod";

import type { readOperatorEnv } from "./env.ts";

/** What this program needs of the running instance's description of itself. */
const RunningInstance = z.object({ postgres: z.object({ ownerUrl: z.string() }) });

/**
 * The database that an operator's command works on: `DATABASE_OWNER_URL`, or else the instance that
 * runs on this machine.
 * @throws when neither is there
 */
export async function findOwnerUrl(env: ReturnType<typeof readOperatorEnv>): Promise<string> {
  if (env.DATABASE_OWNER_URL !== undefined) return env.DATABASE_OWNER_URL;
  const file = resolve(join(env.DATA_DIR, "runtime.json"));
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new Error(`Nothing runs here (no ${file}). Start it, or set DATABASE_OWNER_URL.`, {
      cause,
    });
  }
  return RunningInstance.parse(JSON.parse(text)).postgres.ownerUrl;
}
