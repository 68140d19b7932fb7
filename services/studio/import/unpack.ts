import { unzipSync, zipSync } from "fflate";

/** The files of an archive, by their names. */
export type Unpacked = Readonly<Record<string, Uint8Array>>;

const filesMax = 2_000;
/** Of all files together, unpacked: text of a CV or a profile is a hundredth of it. */
const bytesMax = 64 * 1024 * 1024;

/**
 * The files of a ZIP archive that are wanted; others are not unpacked. What a file states as its size is all that
 * is unpacked of it, so that none becomes larger than it states.
 * @throws when it is no archive, has too many files, or states too large ones
 */
export function unpacked(content: Uint8Array, isWanted: (name: string) => boolean): Unpacked {
  let files = 0;
  let bytes = 0;
  return unzipSync(content, {
    filter: ({ name, originalSize }) => {
      files += 1;
      if (files > filesMax) throw new RangeError("An archive of too many files");
      if (!isWanted(name)) return false;
      bytes += originalSize;
      if (bytes > bytesMax) throw new RangeError("An archive that is too large when unpacked");
      return true;
    },
  });
}

/** An archive of these files, without compression. */
export function packed(files: Unpacked): Buffer {
  return Buffer.from(zipSync({ ...files }, { level: 0 }));
}

/** The names of the files of an archive. @throws when it is none */
export function namesIn(content: Uint8Array): string[] {
  const names: string[] = [];
  unpacked(content, (name) => {
    names.push(name);
    return false;
  });
  return names;
}
