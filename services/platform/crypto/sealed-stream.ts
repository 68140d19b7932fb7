import { createCipheriv, createDecipheriv } from "node:crypto";
import { Transform } from "node:stream";

const algorithm = "aes-256-gcm";
const tagBytes = 16;
/** Plain bytes of every chunk but the last. */
const chunkBytes = 1024 * 1024;

/** An archive was changed, cut or continued. Names the archive and the byte where its chunk begins. */
export class ArchiveBroken extends Error {
  override readonly name = "ArchiveBroken";
}

/**
 * Encrypts a stream in chunks (AES-256-GCM), each with its number and whether it is the last in its
 * nonce: chunks cannot be changed, moved, left out or cut off. Source: Hoang, Reyhanitabar, Rogaway,
 * Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (STREAM).
 * @param key of this one stream; nonces are counters, so a key is never used twice
 */
export function sealStream(key: Buffer): Transform {
  return inChunks(chunkBytes, (plain, number, isLast) => {
    const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    });
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  });
}

/** Decrypts what {@link sealStream} made; a chunk is passed on only after it proved authentic. */
export function openStream(key: Buffer, archive: string): Transform {
  return inChunks(chunkBytes + tagBytes, (sealed, number, isLast) => {
    const at = number * (chunkBytes + tagBytes);
    const broken = (): ArchiveBroken =>
      new ArchiveBroken(`${archive} is not what was written, in the chunk from byte ${at}`);
    if (sealed.length < tagBytes) throw broken();
    const decipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const plain = decipher.update(sealed.subarray(0, -tagBytes));
    try {
      decipher.final();
    } catch {
      throw broken();
    }
    return plain;
  });
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into chunks of one size; the last one, which may be empty, is marked as such. */
function inChunks(
  size: number,
  convert: (chunk: Buffer, number: number, isLast: boolean) => Buffer,
): Transform {
  let parts: Buffer[] = [];
  let held = 0;
  let number = 0;
  const emit = (stream: Transform, isLast: boolean, bytes: number): void => {
    const all = Buffer.concat(parts);
    parts = [all.subarray(bytes)];
    held -= bytes;
    stream.push(convert(all.subarray(0, bytes), number, isLast));
    number += 1;
  };
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      parts.push(part);
      held += part.length;
      try {
        // A full chunk waits until more follows: only then is it known not to be the last.
        while (held > size) emit(this, false, size);
        done();
      } catch (error) {
        done(asError(error));
      }
    },
    flush(done) {
      try {
        emit(this, true, held);
        done();
      } catch (error) {
        done(asError(error));
      }
    },
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
