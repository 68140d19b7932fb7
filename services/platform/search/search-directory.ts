import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Traces } from "@pro-talent/schemas/primitives/traces";

import { isMissing } from "../files/is-missing.ts";
import { type Found, newDecoy, tallyOf } from "./search-request.ts";

/**
 * Searches names and contents of every file below a directory, for several erasures at once. No id may be
 * there.
 * @param encode what a file of the directory is written with, so that the planted one is like the others
 * @throws when the directory, or a file of it that is still there, cannot be read
 */
export async function searchDirectory(
  directory: string,
  encode: (decoy: string) => Uint8Array,
  searches: readonly Traces[],
): Promise<Found[]> {
  const decoy = newDecoy();
  const planted = join(directory, `decoy-${randomUUID()}`);
  const tally = tallyOf(searches, [decoy]);
  try {
    await writeFile(planted, encode(decoy), { flag: "wx", mode: 0o600 });
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = await readFile(join(entry.parentPath, entry.name)).catch(emptyIfGone);
      tally.add(Buffer.concat([Buffer.from(`${entry.name}\n`), content]));
    }
  } finally {
    await rm(planted, { force: true });
  }
  return tally.found();
}

/** Segments of a spool are shipped, and logs are rotated, meanwhile. */
function emptyIfGone(error: unknown): Buffer {
  if (isMissing(error)) return Buffer.alloc(0);
  throw error;
}
