/** What text and headings are set in (styles/tokens.css), as the `font` of CSS. */
export const firstFaces = [
  '1em Heebo, "Heebo Hebrew"',
  '500 1em "Frank Ruhl Libre", "Frank Ruhl Libre Hebrew"',
] as const;

/**
 * Asks for the typefaces of the first screen before the page is laid out. Otherwise the browser finds
 * out that it needs them by laying out all of the page, and does so again once it has them, although
 * they were preloaded.
 *
 * @param words - some of the page's own, in the scripts that it is written in
 */
export function requestFaces(fonts: FontFaceSet, words: string): void {
  for (const faces of firstFaces) {
    // A face that does not come is stood in for by its fallback.
    fonts.load(faces, words).catch(() => undefined);
  }
}
