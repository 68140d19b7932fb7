import { z } from "zod";

export const templates = ["classic", "rail", "compact", "editorial"] as const;
export const accents = ["ink", "blue", "teal", "green", "burgundy", "plum", "rust"] as const;
export const densities = ["dense", "normal", "airy"] as const;
/** A typeface with serifs, two without, and one of each: titles with, text without. */
export const fontPairs = ["serif", "humanist", "grotesque", "mixed"] as const;

/** How a CV is set. A change of any of these loses nothing of what is written. */
export const Page = z.object({
  /** ISO A4, or the North American 8.5 by 11 inches. */
  size: z.enum(["a4", "us"]).default("a4"),
  template: z.enum(templates).default("classic"),
  accent: z.enum(accents).default("ink"),
  density: z.enum(densities).default("normal"),
  fonts: z.enum(fontPairs).default("serif"),
  showPhoto: z.boolean().default(false),
});
export type Page = z.infer<typeof Page>;
