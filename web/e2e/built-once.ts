import { access, mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";

import { inject, vi } from "vitest";

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
  // Another worker may be building it.
  const isFirst = await mkdir(`${built}-begun`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outDir = await mkdtemp(`${built}-`);
    await build(outDir);
    await rename(outDir, built);
  }
  await vi.waitFor(() => access(built), { timeout: 120_000, interval: 100 });
  return built;
}
