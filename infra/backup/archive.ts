import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";

import { ArchiveBroken, openStream, sealStream } from "@pro-talent/platform/crypto/sealed-stream";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";

import type { Archive } from "./manifest.ts";

/** The open directory of a set, with the key of the set. */
export type OpenSet = { readonly directory: string; readonly id: string; readonly key: Buffer };

/** Of one archive of one set: archives cannot be exchanged for each other. */
function keyOf({ key, id }: OpenSet, name: string): Buffer {
  return deriveKey(key, `backup ${id} ${name}`);
}

function fileOf({ directory }: OpenSet, name: string): string {
  return join(directory, `${name}.sealed`);
}

/** Compresses and encrypts what is read into the archive; it is on disk once this resolves. */
export async function writeArchive(
  set: OpenSet,
  name: string,
  from: AsyncIterable<unknown>,
): Promise<Archive> {
  const hash = createHash("sha256");
  const [plain, sealed] = [{ bytes: 0 }, { bytes: 0 }];
  await pipeline(
    from,
    counted(plain),
    createZstdCompress(),
    sealStream(keyOf(set, name)),
    counted(sealed, (part) => hash.update(part)),
    createWriteStream(fileOf(set, name), { mode: 0o600, flags: "wx", flush: true }),
  );
  return { name, bytes: sealed.bytes, plainBytes: plain.bytes, sha256: hash.digest("hex") };
}

/**
 * Decrypts an archive into `to`.
 * @throws ArchiveBroken when it is not the one of the manifest
 */
export async function readArchive(
  set: OpenSet,
  archive: Archive,
  to: NodeJS.WritableStream,
): Promise<void> {
  const hash = createHash("sha256");
  const plain = { bytes: 0 };
  await pipeline(
    createReadStream(fileOf(set, archive.name)),
    counted({ bytes: 0 }, (part) => hash.update(part)),
    openStream(keyOf(set, archive.name), archive.name),
    createZstdDecompress(),
    counted(plain),
    to,
  );
  if (hash.digest("hex") !== archive.sha256 || plain.bytes !== archive.plainBytes) {
    throw new ArchiveBroken(`${archive.name} is not the archive that the manifest names`);
  }
}

function counted(count: { bytes: number }, also?: (part: Buffer) => void): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      count.bytes += part.length;
      also?.(part);
      done(null, part);
    },
  });
}
