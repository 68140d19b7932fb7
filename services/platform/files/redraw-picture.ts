import sharp, { type Sharp } from "sharp";

/** Pixels on each side of a square; at most so many on the longer side of a whole picture. */
const side = 512;
const longSideMax = 1600;
const pixelsMax = 50_000_000;
const secondsMax = 5;
/** What cameras and phones write; nothing that can refer to other files or run anything. */
const formats: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "avif", "heif", "gif"]);

/** A picture that was drawn anew, as WebP. */
export type Redrawn = { readonly bytes: Buffer; readonly width: number; readonly height: number };

/**
 * Draws a picture anew as a square WebP: upright, without metadata, and without anything that was hidden
 * in its bytes.
 * @returns undefined for what cannot be read as a picture
 */
export async function redrawPicture(picture: Buffer): Promise<Buffer | undefined> {
  const drawn = await redrawn(picture, (image) => image.resize(side, side, { fit: "cover" }));
  return drawn?.bytes;
}

/** The same of the whole picture in its own proportions, and no larger than a page shows it. */
export const redrawWhole = (picture: Buffer): Promise<Redrawn | undefined> =>
  redrawn(picture, (image) =>
    image.resize(longSideMax, longSideMax, { fit: "inside", withoutEnlargement: true }),
  );

async function redrawn(
  picture: Buffer,
  resized: (image: Sharp) => Sharp,
): Promise<Redrawn | undefined> {
  const options = { limitInputPixels: pixelsMax, failOn: "error", animated: false } as const;
  try {
    const { format } = await sharp(picture, options).metadata();
    if (!formats.has(format)) return undefined;
    const upright = sharp(picture, options).timeout({ seconds: secondsMax }).autoOrient();
    const { data, info } = await resized(upright)
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}
