import { randomUUID } from "node:crypto";

import type { FileStore } from "@pro-talent/platform/files/file-store";
import { type Found, tallyOf } from "@pro-talent/platform/search/search-request";
import type { Traces } from "@pro-talent/schemas/primitives/traces";

/** Of links, of packages, and of what is reviewed before it becomes one. */
const folders = ["links", "packages", "collections"] as const;
/** No file of the product has such a name: what a process left that ended in between is recognised. */
const decoyName = /^(?:packages|collections)\/decoy-/u;
const leftMs = 60 * 60_000;

/**
 * Searches the names of all stored files, for several erasures at once. Contents are not read: each file is
 * encrypted under a key that only the sealed details of its link or request hold, and nothing is left of
 * one whose name is gone. A file of its own is stored, found and removed in each folder.
 */
export async function searchFiles(files: FileStore, searches: readonly Traces[]): Promise<Found[]> {
  // In the folder of links a file that no link names is removed in any case.
  const decoys = [
    `links/${randomUUID()}`,
    `packages/decoy-${randomUUID()}`,
    `collections/decoy-${randomUUID()}`,
  ];
  const tally = tallyOf(searches, decoys);
  try {
    for (const decoy of decoys) await files.write(decoy, Buffer.from(decoy));
    for (const folder of folders)
      for await (const { name, changedMs } of files.list(folder)) {
        tally.add(Buffer.from(name));
        if (decoyName.test(name) && Date.now() - changedMs > leftMs) await files.remove(name);
      }
  } finally {
    for (const decoy of decoys) await files.remove(decoy);
  }
  return tally.found();
}
