import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";
import { choosePort } from "./ports.ts";

const Ports = z.record(z.string(), z.number().int().min(1).max(65_535));
export type Ports = z.infer<typeof Ports>;

/**
 * One free loopback port for each name, the same ones as last time wherever they are still free, so
 * that a saved database connection goes on working after a restart.
 */
export async function choosePorts(dataDir: string, names: readonly string[]): Promise<Ports> {
  const file = join(dataDir, "ports.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const before = Ports.parse(JSON.parse(text));
  const pairs = await Promise.all(
    names.map(async (name) => [name, await choosePort(before[name])] as const),
  );
  const now = Object.fromEntries(pairs);
  if (names.some((name) => now[name] !== before[name])) {
    await writePrivateFile(file, `${JSON.stringify(now, null, 2)}\n`);
  }
  return now;
}
