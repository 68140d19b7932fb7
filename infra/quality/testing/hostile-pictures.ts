import { crc32, deflateSync } from "node:zlib";

import { zipSync } from "fflate";
import sharp, { type Sharp } from "sharp";

/** Stands in every part of a picture that is no picture; nothing of it may reach a reader. */
export const planted = "planted-secret";
const script = `<script>alert("${planted}")</script>`;

/** A file that is sent as a picture, and what becomes of it. */
export type HostilePicture = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly becomes: "refused" | "drawn";
};

type Png = { readonly width: number; readonly height: number; readonly more?: readonly Buffer[] };

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG (ISO/IEC 15948) of grey pixels, as large as it says or not. */
function png({ width, height, more = [] }: Png, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1)));
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), ...more, chunk("IDAT", pixels)];
  return Buffer.concat([magic, ...parts, chunk("IEND", Buffer.alloc(0))]);
}

const text = (keyword: string, value: string): Buffer =>
  chunk("tEXt", Buffer.from(`${keyword}\0${value}`, "latin1"));
/** A part that is thirty thousand times as large when it is unpacked. */
const bomb = (type: "zTXt" | "iCCP"): Buffer =>
  chunk(
    type,
    Buffer.concat([Buffer.from("bomb\0\0"), deflateSync(Buffer.alloc(64 * 1024 * 1024))]),
  );

/** A JPEG with one more segment (ITU-T T.81, B.1) behind its first two bytes. */
const withSegment = (jpeg: Buffer, marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
};

/** The chunks of a colour profile that is far larger than the picture (ICC.1, B.4). */
const hugeProfile = (jpeg: Buffer, chunks: number): Buffer =>
  Array.from({ length: chunks }, (_, index) =>
    Buffer.concat([
      Buffer.from("ICC_PROFILE\0"),
      Buffer.from([chunks - index, chunks]),
      Buffer.alloc(65_000, `${planted} `),
    ]),
  ).reduce((bytes, data) => withSegment(bytes, 0xe2, data), jpeg);

/** Its header and the name of its first block are a comment of a script. */
function gifScript(gif: Buffer): Buffer {
  const bytes = Buffer.from(gif);
  bytes.write("/*", 6, "latin1");
  bytes.writeUInt16LE(1, 8);
  return Buffer.concat([bytes, Buffer.from(`*/=1;alert("${planted}")//`)]);
}

const animated = (frames: number, side: number): Sharp =>
  sharp(
    Buffer.alloc(frames * side * side * 3).map((_, index) => Math.floor(index / (side * side * 3))),
    { raw: { width: side, height: frames * side, channels: 3, pageHeight: side } },
  );

const exif = {
  IFD0: { Artist: planted, Copyright: script, ImageDescription: script },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "32/1 4/1 23/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "34/1 46/1 54/1",
  },
};
const xmp = `<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'>${planted}</x:xmpmeta>`;

/**
 * Pictures that carry something else, would take memory or time, or are none: each is refused, or drawn anew
 * without what it carried.
 */
export async function hostilePictures(): Promise<readonly HostilePicture[]> {
  const plain = sharp({ create: { width: 40, height: 20, channels: 3, background: "teal" } });
  const jpeg = await plain.clone().jpeg().toBuffer();
  const gif = await plain.clone().gif().toBuffer();
  const webp = await plain.clone().webp().toBuffer();
  const zip = zipSync({ [`${planted}.html`]: Buffer.from(script) }, { level: 0 });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>${planted}</text></svg>`;
  const drawn: Record<string, Buffer> = {
    "GIF that is a script": gifScript(gif),
    "GIF with a script behind it": Buffer.concat([gif, Buffer.from(`\n${script}`)]),
    "PNG with HTML in its texts": png({
      width: 40,
      height: 20,
      more: [text("Title", script), text("XML:com.adobe.xmp", xmp)],
    }),
    "PNG with HTML behind it": Buffer.concat([png({ width: 40, height: 20 }), Buffer.from(script)]),
    "JPEG with a ZIP behind it": Buffer.concat([jpeg, zip]),
    "JPEG with HTML as a comment": withSegment(jpeg, 0xfe, Buffer.from(script)),
    "JPEG with scripts and a place in EXIF": await plain.clone().withExif(exif).jpeg().toBuffer(),
    "JPEG with XMP": await plain.clone().withXmp(xmp).jpeg().toBuffer(),
    "WebP with scripts and a place in EXIF": await plain.clone().withExif(exif).webp().toBuffer(),
    "JPEG in CMYK": await plain.clone().toColourspace("cmyk").jpeg().toBuffer(),
    "PNG of 16 bits": await plain.clone().toColourspace("rgb16").png().toBuffer(),
    "JPEG with a huge colour profile": hugeProfile(jpeg, 60),
    "GIF with a screen of four billion pixels": Buffer.concat([
      gif.subarray(0, 6),
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      gif.subarray(10),
    ]),
    "PNG with a text that unpacks to 64 MB": png({ width: 9, height: 9, more: [bomb("zTXt")] }),
    "PNG with a profile that unpacks to 64 MB": png({ width: 9, height: 9, more: [bomb("iCCP")] }),
    "GIF of 400 frames": await animated(400, 24).gif().toBuffer(),
    "WebP of 400 frames": await animated(400, 24).webp().toBuffer(),
  };
  const refused: Record<string, Buffer> = {
    "SVG that is named a picture": Buffer.from(svg),
    "HTML that is named a picture": Buffer.from(`<!doctype html>${script}`),
    "PDF that is named a picture": Buffer.from(`%PDF-1.7\n%${planted}\n%%EOF`),
    TIFF: await plain.clone().tiff().toBuffer(),
    "PNG of 50,000 × 50,000 pixels": png({ width: 50_000, height: 50_000 }, 1),
    "PNG of 50,000 × 50,000 pixels, all there": png({ width: 50_000, height: 50_000 }, 5_000),
    "JPEG that is cut off": jpeg.subarray(0, jpeg.length / 2),
    "PNG that is cut off": png({ width: 40, height: 20 }).subarray(0, 50),
    "WebP that is cut off": webp.subarray(0, webp.length / 2),
    "PNG with the magic of a JPEG": Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      png({ width: 40, height: 20 }).subarray(4),
    ]),
    "WebP with nothing behind its magic": Buffer.from(
      `RIFF\u0010\0\0\0WEBPVP8 ${planted}`,
      "latin1",
    ),
    ZIP: Buffer.from(zip),
    "one byte": Buffer.from([0]),
  };
  const listed = (all: Record<string, Buffer>, becomes: HostilePicture["becomes"]) =>
    Object.entries(all).map(([name, bytes]) => ({ name, bytes, becomes }));
  return [...listed(drawn, "drawn"), ...listed(refused, "refused")];
}
