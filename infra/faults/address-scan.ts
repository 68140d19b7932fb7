import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { plainBlocks } from "./compressed-blocks.ts";
import { findPlanted } from "./planted-addresses.ts";

export type ScanResult = { files: number; bytes: number; found: Map<string, string[]> };

const chunkBytes = 64 * 1024 * 1024;

/**
 * Looks for planted addresses in every file below a directory: as it lies on disk, and, for
 * ClickHouse's column files, in the decompressed blocks.
 * @returns for each address that was found, the files that hold it
 * @throws when a column file cannot be decompressed: what cannot be read cannot be called clean
 */
export async function scanDirectory(
  directory: string,
  planted: ReadonlySet<string>,
): Promise<ScanResult> {
  const result: ScanResult = { files: 0, bytes: 0, found: new Map() };
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const data = await readFile(path);
    result.files += 1;
    result.bytes += data.length;
    for (const piece of pieces(path, data)) {
      for (const address of findPlanted(piece, planted)) {
        result.found.set(address, [...new Set([...(result.found.get(address) ?? []), path])]);
      }
    }
  }
  return result;
}

function* pieces(path: string, data: Buffer): Generator<Buffer> {
  // Neighbouring pieces overlap by more than an address is long.
  for (let at = 0; at < data.length; at += chunkBytes) {
    yield data.subarray(Math.max(0, at - 64), at + chunkBytes);
  }
  if (path.endsWith(".bin")) yield* plainBlocks(data);
}

/** Puts an address into a plain file, so that a scan that finds nothing has proven it could. */
export async function plantDecoyFile(path: string, address: string): Promise<void> {
  await writeFile(path, `\u0000${address}\u0000`, { flag: "wx" });
  await stat(path);
}
