import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { readArchive } from "../../backup/archive.ts";
import { readManifest } from "../../backup/manifest.ts";
import type { BackupSettings } from "../../backup/settings.ts";
import { unpackInto } from "../../backup/tar.ts";

/**
 * Opens the archives of a set that are files, as one could who has it and every key that exists.
 * @throws EpochUnknown when its key was destroyed
 */
export async function unpackSet(
  { directory, keys, signingKey }: BackupSettings,
  set: string,
  into: string,
): Promise<void> {
  const { epoch, wrappedKey, archives } = await readManifest(directory, set, signingKey.id);
  const key = await keys.unwrap(epoch, Buffer.from(wrappedKey, "base64"), set);
  for (const archive of archives.filter(({ name }) => ["postgres", "files"].includes(name))) {
    const target = join(into, archive.name);
    await mkdir(target, { recursive: true });
    await readArchive(
      { directory: join(directory, set), id: set, key },
      archive,
      unpackInto(target),
    );
  }
}
