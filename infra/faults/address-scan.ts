import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { patternSearch } from "@pro-talent/platform/search/pattern-search";

/**
 * The n-th client address of a load: each is a different public one, every fifth IPv6. They spread
 * over the address space, so that locations are really looked up.
 */
export function plantedAddress(n: number): string {
  // A multiplicative walk over 2^32 visits every value once (odd multiplier).
  const value = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  if (n % 5 === 4) {
    const middle = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
    return `2a0d:6fc0:${middle}:a11:b22:c33:${(n + 0x1000).toString(16).slice(-4)}`;
  }
  const first = 11 + (value % 180);
  return `${first}.${(value >>> 8) & 255}.${(value >>> 16) & 255}.${(value >>> 24) & 255}`;
}

const addressLike = /(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}/g;

/** The planted addresses that occur in a piece of text or binary data, each once. */
export function findPlanted(data: Buffer, planted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  // latin1 keeps every byte as one character, so text inside binary files is seen as well.
  for (const match of data.toString("latin1").matchAll(addressLike)) {
    for (const candidate of candidates(match[0])) if (planted.has(candidate)) found.add(candidate);
  }
  return found;
}

/** Digits of a neighbouring binary field may touch an address: shorter readings count as well. */
function candidates(text: string): string[] {
  if (text.includes(":")) return [text];
  const [, first = "", middle = "", last = ""] = /^(\d+)(\..*\.)(\d+)$/.exec(text) ?? [];
  return Array.from(first, (_digit, cut) => first.slice(cut) + middle).flatMap((start) =>
    Array.from(last, (_digit, cut) => start + last.slice(0, cut + 1)),
  );
}

/** Searches for many texts at once. @throws RangeError when one is shorter than four bytes */
export const textSearch = (texts: readonly string[]): ((data: Buffer) => Set<string>) =>
  patternSearch([...new Set(texts)].map((text) => ({ bytes: Buffer.from(text), meaning: text })));

/** What was read, and each address or text that was found with the last file that holds it. */
export type ScanResult = { files: number; bytes: number; found: Map<string, string> };

const chunkBytes = 64 * 1024 * 1024;
/** Neighbouring pieces overlap by more than an address or text is long. */
const overlapBytes = 16 * 1024;

/** Searches for planted addresses, and for texts, in the bytes of every file below a directory. */
export async function scanDirectory(
  directory: string,
  planted: ReadonlySet<string>,
  texts: readonly string[] = [],
): Promise<ScanResult> {
  const search = textSearch(texts);
  const result: ScanResult = { files: 0, bytes: 0, found: new Map() };
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const data = await readFile(path);
    result.files += 1;
    result.bytes += data.length;
    for (let at = 0; at < data.length; at += chunkBytes) {
      const piece = data.subarray(Math.max(0, at - overlapBytes), at + chunkBytes);
      for (const address of findPlanted(piece, planted)) result.found.set(address, path);
      for (const text of search(piece)) result.found.set(text, path);
    }
  }
  return result;
}
