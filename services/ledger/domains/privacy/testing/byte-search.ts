import { brotliDecompressSync, gunzipSync, inflateRawSync } from "node:zlib";

/** The bytes of a file, and what they are when a program decompresses them. */
function variantsOf(bytes: Uint8Array): Buffer[] {
  const unpacked = [gunzipSync, inflateRawSync, brotliDecompressSync].flatMap((open) => {
    try {
      return [open(bytes)];
    } catch {
      return [];
    }
  });
  return [Buffer.from(bytes), ...unpacked];
}
const encodings = (text: string): Buffer[] => [
  Buffer.from(text),
  Buffer.from(JSON.stringify(text).slice(1, -1)),
  Buffer.from(text, "utf16le"),
  Buffer.from(encodeURIComponent(text)),
  Buffer.from(Buffer.from(text).toString("base64")),
  Buffer.from(Buffer.from(text).toString("hex")),
];
/** Files that hold a text in their bytes or name, in whatever encoding, also compressed. */
export const filesWithText = (
  parts: Readonly<Record<string, Uint8Array>>,
  text: string,
): string[] =>
  Object.entries(parts).flatMap(([path, bytes]) =>
    [...variantsOf(bytes), Buffer.from(path)].some((variant) =>
      encodings(text).some((wanted) => variant.includes(wanted)),
    )
      ? [path]
      : [],
  );
