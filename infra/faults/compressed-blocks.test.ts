import { zstdCompressSync } from "node:zlib";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decodeLz4Block, plainBlocks } from "./compressed-blocks.ts";

function frame(code: number, data: Buffer, plainSize: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt8(code, 16);
  header.writeUInt32LE(data.length + 9, 17);
  header.writeUInt32LE(plainSize, 21);
  return Buffer.concat([header, data]);
}

describe("reading ClickHouse column files", () => {
  it("gives back the plain bytes of stored and zstd blocks, in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 5 }),
        (parts) => {
          const plain = parts.map((part) => Buffer.from(part));
          const file = Buffer.concat(
            plain.map((part, index) =>
              index % 2 === 0
                ? frame(0x02, part, part.length)
                : frame(0x90, zstdCompressSync(part), part.length),
            ),
          );
          expect([...plainBlocks(file)]).toEqual(plain);
        },
      ),
    );
  });

  it("decodes LZ4 literals and overlapping matches", () => {
    // Token 0x14: one literal "a", then a match of 4 + 4 bytes at distance 1; token 0x10: "b".
    const block = Buffer.from([0x14, 0x61, 0x01, 0x00, 0x10, 0x62]);
    expect(decodeLz4Block(block, 10).toString()).toBe("aaaaaaaaab");
  });

  it("refuses a damaged file instead of finding nothing in it", () => {
    expect(() => [...plainBlocks(Buffer.alloc(64, 7))]).toThrow("Not a compressed block");
  });
});
