/** The text and heading fonts (styles/tokens.css), as CSS `font` values. */
export const firstFaces = [
  '1em Heebo, "Heebo Hebrew"',
  '500 1em "Frank Ruhl Libre", "Frank Ruhl Libre Hebrew"',
] as const;

/**
 * Requests the fonts of the first screen before layout. Otherwise the browser lays out the whole
 * page to find that it needs them, and again when they arrive, even if they are preloaded.
 * @param sample - text of the page in its scripts
 */
export function requestFaces(fonts: FontFaceSet, sample: string): void {
  for (const faces of firstFaces) {
    // The fallback font is used.
    fonts.load(faces, sample).catch(() => undefined);
  }
}
