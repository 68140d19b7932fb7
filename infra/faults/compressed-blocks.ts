import { zstdDecompressSync } from "node:zlib";

const checksumBytes = 16;
const headerBytes = 9;
const method = { none: 0x02, lz4: 0x82, zstd: 0x90, multiple: 0x91 } as const;

/** Numeric codecs (Delta, T64, DoubleDelta, Gorilla …): such columns hold no text. */
const numericMethods = new Set([0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99]);

/**
 * The plain bytes of a ClickHouse column file (`*.bin`), block by block. A block is a 16-byte
 * checksum, a method byte, the compressed size (with this 9-byte header) and the plain size, both
 * little-endian 32-bit, then the data.
 * Source: https://clickhouse.com/docs/native-protocol/compression
 */
export function* plainBlocks(file: Buffer): Generator<Buffer> {
  let at = 0;
  while (at + checksumBytes + headerBytes <= file.length) {
    const start = at + checksumBytes;
    const compressed = file.readUInt32LE(start + 1);
    if (compressed < headerBytes || start + compressed > file.length) {
      throw new Error(`Not a compressed block at byte ${at}`);
    }
    const block = decodeBlock(file.subarray(start, start + compressed));
    if (block !== undefined) yield block;
    at = start + compressed;
  }
}

function decodeBlock(block: Buffer): Buffer | undefined {
  const code = block.readUInt8(0);
  const size = block.readUInt32LE(5);
  const data = block.subarray(headerBytes);
  if (code === method.none) return data;
  if (code === method.lz4) return decodeLz4Block(data, size);
  if (code === method.zstd) return zstdDecompressSync(data);
  if (code === method.multiple) return decodeMultiple(data);
  if (numericMethods.has(code)) return undefined;
  throw new Error(`Unknown compression method 0x${code.toString(16)}`);
}

/** Several codecs one after another: their count, their codes, then the outermost block. */
function decodeMultiple(data: Buffer): Buffer | undefined {
  const count = data.readUInt8(0);
  const codes = [...data.subarray(1, 1 + count)];
  if (codes.some((code) => numericMethods.has(code))) return undefined;
  return decodeBlock(data.subarray(1 + count));
}

/**
 * Decodes one LZ4 block (no frame).
 * Source: the LZ4 block format description, https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @throws when the block is damaged or does not fill `size` bytes exactly
 */
export function decodeLz4Block(input: Buffer, size: number): Buffer {
  const output = Buffer.alloc(size);
  let from = 0;
  let to = 0;
  const length = (nibble: number): number => {
    let total = nibble;
    if (nibble !== 15) return total;
    for (;;) {
      const more = input.readUInt8(from++);
      total += more;
      if (more !== 255) return total;
    }
  };
  while (from < input.length) {
    const token = input.readUInt8(from++);
    const literals = length(token >> 4);
    input.copy(output, to, from, from + literals);
    from += literals;
    to += literals;
    // The last sequence has literals only.
    if (from >= input.length) break;
    const distance = input.readUInt16LE(from);
    from += 2;
    const matched = length(token & 15) + 4;
    if (distance === 0 || distance > to) throw new Error("Damaged LZ4 block");
    // Overlapping copies repeat what was just written, so bytes are copied one by one.
    const end = to + matched;
    for (; to < end; to++) output[to] = output.readUInt8(to - distance);
  }
  if (to !== size) throw new Error(`LZ4 block gave ${to} of ${size} bytes`);
  return output;
}
