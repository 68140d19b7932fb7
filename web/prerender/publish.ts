import { cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const dayMs = 24 * 60 * 60 * 1000;

async function filesUnder(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
}

/**
 * Replaces the content of `dist` with that of `staging`, each file atomically. Assets of earlier
 * builds stay for a day, for servers and browsers that still show an earlier page.
 */
export async function publish(staging: string, dist: string, nowMs: number): Promise<void> {
  const built = new Set(await filesUnder(staging));
  const before = await filesUnder(dist);
  for (const file of built) {
    const target = join(dist, file);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(staging, file), `${target}.next`);
    await rename(`${target}.next`, target);
  }
  for (const file of before) {
    if (built.has(file) || file.startsWith(".")) continue;
    const { mtimeMs } = await stat(join(dist, file));
    if (file.startsWith("assets/") && nowMs - mtimeMs < dayMs) continue;
    await rm(join(dist, file));
  }
}
