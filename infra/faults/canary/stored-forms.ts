import { gunzipSync, zstdDecompressSync } from "node:zlib";

/** What a file holds, as it is and unpacked: archives, and columns of ClickHouse. */
export function* unpacked(name: string, data: Buffer): Generator<Buffer> {
  yield data;
  if (data.length > 2 && data.readUInt16BE(0) === 0x1f8b) yield gunzipSync(data);
  if (name.endsWith(".bin")) yield* clickhouseBlocks(data);
}

const checksumBytes = 16;
const headBytes = 9;
const lz4 = 0x82;
const zstd = 0x90;

/**
 * The blocks of a column file of ClickHouse: checksum, method, sizes, content. Of other methods (codecs
 * for numbers) nothing is unpacked.
 */
function* clickhouseBlocks(data: Buffer): Generator<Buffer> {
  for (let at = checksumBytes; at + headBytes <= data.length;) {
    const method = data.readUInt8(at);
    const size = data.readUInt32LE(at + 1);
    const plainBytes = data.readUInt32LE(at + 5);
    if (size <= headBytes || at + size > data.length) return;
    const content = data.subarray(at + headBytes, at + size);
    if (method === lz4) yield unpackLz4(content, plainBytes);
    if (method === zstd) yield zstdDecompressSync(content);
    at += size + checksumBytes;
  }
}

/** One LZ4 block: literals, and copies of what came before (LZ4 Block Format). */
export function unpackLz4(packed: Buffer, plainBytes: number): Buffer {
  const plain = Buffer.alloc(plainBytes);
  let [from, to] = [0, 0];
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    for (let more = 255; more === 255; length += more) more = packed.readUInt8(from++);
    return length;
  };
  while (from < packed.length) {
    const token = packed.readUInt8(from++);
    const literals = lengthFrom(token >>> 4);
    to += packed.copy(plain, to, from, from + literals);
    from += literals;
    if (from >= packed.length) break;
    const distance = packed.readUInt16LE(from);
    from += 2;
    for (let left = lengthFrom(token & 15) + 4; left > 0; left -= 1, to += 1)
      plain[to] = plain[to - distance] ?? 0;
  }
  return plain;
}
