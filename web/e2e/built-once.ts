import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { inject } from "vitest";

/**
 * What only journeys build, built once for all of their files.
 * @param build writes into the directory that it is given
 * @returns the directory of what was built
 */
export async function builtOnce(
  name: string,
  build: (outDir: string) => Promise<unknown>,
): Promise<string> {
  const directory = inject("builds");
  const built = join(directory, name);
  if (existsSync(built)) return built;
  // Two files may build at once: the first to be done is served.
  const outDir = await mkdtemp(`${built}-`);
  await build(outDir);
  await rename(outDir, built).catch(() => rm(outDir, { recursive: true, force: true }));
  return built;
}
