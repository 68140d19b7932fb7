import type { Page } from "@pro-talent/schemas/studio/page";

/** In the order in which they are offered. */
export const accents = [
  "ink",
  "blue",
  "teal",
  "green",
  "burgundy",
  "plum",
  "rust",
] as const satisfies readonly Page["accent"][];

/** The accents as they are printed; each may colour text on white. */
export const accentColours: Readonly<Record<Page["accent"], string>> = {
  ink: "#2b323b",
  blue: "#1d4f91",
  teal: "#0b5f66",
  green: "#27613a",
  burgundy: "#822433",
  plum: "#633278",
  rust: "#94401b",
};
