import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

import { z } from "zod";

/** How long assets of an earlier release stay, for browsers that still show one of its pages. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** When each asset left the release, in milliseconds since 1970. */
const Retired = z.record(z.string(), z.number());
const retiredFile = ".retired.json";

async function filesUnder(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
}

/** A missing or damaged record only keeps assets for longer. */
async function readRetired(dist: string): Promise<z.infer<typeof Retired>> {
  try {
    return Retired.parse(JSON.parse(await readFile(join(dist, retiredFile), "utf8")));
  } catch {
    return {};
  }
}

async function replace(target: string, write: (file: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await write(`${target}.next`);
  await rename(`${target}.next`, target);
}

/**
 * Replaces the content of `dist` with that of `staging`, each file atomically: assets first, because
 * the documents name them. Assets that are no longer part of the release stay for seven days.
 */
export async function publish(staging: string, dist: string, nowMs: number): Promise<void> {
  const built = await filesUnder(staging);
  const before = await filesUnder(dist);
  const isAsset = (file: string): boolean => file.startsWith("assets/");
  for (const file of built.toSorted(
    (one, other) => Number(isAsset(other)) - Number(isAsset(one)),
  )) {
    await replace(join(dist, file), (next) => cp(join(staging, file), next));
  }
  const known = await readRetired(dist);
  const retired: Record<string, number> = {};
  const current = new Set(built);
  for (const file of before) {
    if (current.has(file) || file.startsWith(".")) continue;
    const sinceMs = known[file] ?? nowMs;
    if (isAsset(file) && nowMs - sinceMs < keptMs) retired[file] = sinceMs;
    else await rm(join(dist, file));
  }
  await replace(join(dist, retiredFile), (next) => writeFile(next, JSON.stringify(retired)));
}
