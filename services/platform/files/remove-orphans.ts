import type { FileStore } from "./file-store.ts";

/** A file is named by the record that it was stored for within moments; after this time it never will be. */
const orphanAfterMs = 24 * 60 * 60_000;
const namesPerQuestion = 500;

/**
 * Removes files of a folder that nothing names: a process ended between storing a file and recording it.
 * @param usedOf which of some names, without their folder, are in use
 */
export async function removeOrphans(
  files: FileStore,
  folder: string,
  usedOf: (names: readonly string[]) => Promise<ReadonlySet<string>>,
  nowMs: number,
): Promise<void> {
  let some: string[] = [];
  const settle = async (): Promise<void> => {
    const used = await usedOf(some);
    for (const name of some) if (!used.has(name)) await files.remove(`${folder}/${name}`);
    some = [];
  };
  for await (const { name, changedMs } of files.list(folder)) {
    if (nowMs - changedMs < orphanAfterMs) continue;
    some.push(name.slice(folder.length + 1));
    if (some.length === namesPerQuestion) await settle();
  }
  await settle();
}
