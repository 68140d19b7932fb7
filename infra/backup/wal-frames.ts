import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { ArchiveBroken } from "@pro-talent/platform/crypto/sealed-stream";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const lengthBytes = 4;
const placeBytes = 16;

/** Bytes of the write-ahead log, and when they were known to be on the server's disk. */
export type Frame = {
  readonly start: bigint;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly bytes: Buffer;
};

/**
 * Encrypts one frame of a file: its length, a random nonce, and the compressed bytes with their place,
 * bound to the number of the frame. Frames cannot be changed, moved or left out; what is cut off at the
 * end is found by comparing with what follows.
 */
export function sealFrame(key: Buffer, number: number, { start, atMs, bytes }: Frame): Buffer {
  const place = Buffer.alloc(placeBytes);
  place.writeBigUInt64BE(start, 0);
  place.writeBigUInt64BE(BigInt(atMs), 8);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(number));
  const sealed = [cipher.update(place), cipher.update(zstdCompressSync(bytes)), cipher.final()];
  const body = Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/**
 * The frames of a file in their order.
 * @returns the bytes that they take: what a crash left of a frame after them is not read
 * @throws ArchiveBroken for a whole frame that is not what was written
 */
export async function* openFrames(
  path: string,
  key: Buffer,
): AsyncGenerator<Frame & { readonly end: number }, void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (let number = 0, at = 0; ; number += 1) {
      const body = await bodyAt(file, at, size);
      if (body === undefined) return;
      at += lengthBytes + body.length;
      yield { ...openFrame(key, number, body, path), end: at };
    }
  } finally {
    await file.close();
  }
}

async function bodyAt(file: FileHandle, at: number, size: number): Promise<Buffer | undefined> {
  if (at + lengthBytes > size) return undefined;
  const head = Buffer.alloc(lengthBytes);
  await file.read(head, 0, lengthBytes, at);
  const body = Buffer.alloc(Math.min(head.readUInt32BE(0), size));
  if (at + lengthBytes + head.readUInt32BE(0) > size) return undefined;
  await file.read(body, 0, body.length, at + lengthBytes);
  return body;
}

function openFrame(key: Buffer, number: number, body: Buffer, path: string): Frame {
  const broken = (): ArchiveBroken =>
    new ArchiveBroken(`${path} is not what was written, in its frame ${number + 1}`);
  if (body.length < nonceBytes + placeBytes + tagBytes) throw broken();
  const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(boundTo(number));
  decipher.setAuthTag(body.subarray(-tagBytes));
  const plain = decipher.update(body.subarray(nonceBytes, -tagBytes));
  try {
    decipher.final();
  } catch {
    throw broken();
  }
  return {
    start: plain.readBigUInt64BE(0),
    atMs: Number(plain.readBigUInt64BE(8)),
    bytes: zstdDecompressSync(plain.subarray(placeBytes)),
  };
}

function boundTo(number: number): Buffer {
  return Buffer.from(`frame ${number}`, "utf8");
}
