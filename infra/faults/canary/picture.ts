import { crc32, deflateSync } from "node:zlib";

const pixels = 64;

/** A grey picture in PNG that carries a text, as cameras and programs add them. */
export function pictureWith(text: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(pixels, 0);
  head.writeUInt32BE(pixels, 4);
  // Eight bits, grey.
  head.writeUInt8(8, 8);
  // Each line begins with the number of its filter: none.
  const lines = Buffer.alloc(pixels * (pixels + 1), 128);
  for (let line = 0; line < pixels; line += 1) lines[line * (pixels + 1)] = 0;
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("iTXt", Buffer.from(`Description\0\0\0\0\0${text}`)),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
