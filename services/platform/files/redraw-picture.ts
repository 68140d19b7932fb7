import sharp from "sharp";

/** Pixels on each side. */
const side = 512;
const pixelsMax = 50_000_000;
const secondsMax = 5;
/** What cameras and phones write; nothing that can refer to other files or run anything. */
const formats: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "avif", "heif", "gif"]);

/**
 * Draws a picture anew as a square WebP: upright, without metadata, and without anything that was hidden
 * in its bytes.
 * @returns undefined for what cannot be read as a picture
 */
export async function redrawPicture(picture: Buffer): Promise<Buffer | undefined> {
  const options = { limitInputPixels: pixelsMax, failOn: "error", animated: false } as const;
  try {
    const { format } = await sharp(picture, options).metadata();
    if (!formats.has(format)) return undefined;
    return await sharp(picture, options)
      .timeout({ seconds: secondsMax })
      .autoOrient()
      .resize(side, side, { fit: "cover" })
      .webp({ quality: 82 })
      .toBuffer();
  } catch {
    return undefined;
  }
}
