import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { expect, it } from "vitest";

import { openStream, sealStream } from "./sealed-stream.ts";

const key = randomBytes(32);
const chunk = 1024 * 1024;
const sealedChunk = chunk + 16;
const sealed = (plain: Buffer) => buffer(Readable.from([plain]).pipe(sealStream(key)));

async function opened(bytes: Buffer): Promise<Buffer> {
  const opening = openStream(key, "visits");
  Readable.from([bytes]).pipe(opening);
  return await buffer(opening);
}

it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk])(
  "%i bytes come back as they were",
  async (size) => {
    const plain = randomBytes(size);
    expect((await opened(await sealed(plain))).equals(plain)).toBe(true);
  },
);

it("a stream that is cut, also between chunks, is refused where it ends", async () => {
  const whole = await sealed(randomBytes(2 * chunk + 5));
  await expect(opened(whole.subarray(0, 2 * sealedChunk))).rejects.toThrow(
    `visits is not what was written, in the chunk from byte ${sealedChunk}`,
  );
  await expect(opened(whole.subarray(0, -1))).rejects.toThrow(`byte ${2 * sealedChunk}`);
  await expect(opened(Buffer.alloc(0))).rejects.toThrow("byte 0");
});

it("chunks that are exchanged or added are refused", async () => {
  const whole = await sealed(randomBytes(2 * chunk + 5));
  const [first, second] = [
    whole.subarray(0, sealedChunk),
    whole.subarray(sealedChunk, 2 * sealedChunk),
  ];
  const last = whole.subarray(2 * sealedChunk);
  await expect(opened(Buffer.concat([second, first, last]))).rejects.toThrow("byte 0");
  await expect(opened(Buffer.concat([whole, last]))).rejects.toThrow(`byte ${2 * sealedChunk}`);
});
