import { mkdir, open, opendir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { z } from "zod";

import { isMissing } from "./is-missing.ts";

/**
 * Where files are stored, already encrypted. Names are chosen by the program: a to z, digits, hyphens
 * and slashes, never what a person typed.
 */
export type FileStore = {
  /** Stored for good once it resolves: also after a power cut. The same name again replaces the file. */
  readonly write: (name: string, content: Uint8Array) => Promise<void>;
  /** @returns undefined when there is no such file */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  /** May be repeated. */
  readonly remove: (name: string) => Promise<void>;
  /** The files of a folder, as in `links`, in no order. */
  readonly list: (folder: string) => AsyncIterable<StoredFile>;
};

/** `changedMs`: when it was written last, in milliseconds since 1970, by the store's clock. */
export type StoredFile = { readonly name: string; readonly changedMs: number };

/** Of a file. */
export const Name = z.string().regex(/^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/u);

/** A file store in a directory, for one machine or a shared volume. */
export function openDirectoryStore(directory: string): FileStore {
  const pathOf = (name: string): string => join(directory, Name.parse(name));
  return {
    write: async (name, content) => {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${process.pid}.tmp`;
      await writeDurably(temporary, content);
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    },
    read: async (name) =>
      await readFile(pathOf(name)).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    remove: async (name) => {
      await rm(pathOf(name), { force: true });
    },
    list: (folder) => filesIn(pathOf(folder), folder),
  };
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name of a file is durable only with its directory (fsync(2)). */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function* filesIn(path: string, folder: string): AsyncGenerator<StoredFile> {
  const entries = await opendir(path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for await (const { name } of entries) {
    const found = Name.safeParse(`${folder}/${name}`);
    // Another one removed it meanwhile, or it is being written.
    const about = found.success ? await stat(join(path, name)).catch(() => undefined) : undefined;
    if (found.success && about?.isFile() === true)
      yield { name: found.data, changedMs: about.mtimeMs };
  }
}
