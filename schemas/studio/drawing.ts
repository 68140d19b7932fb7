import { z } from "zod";

/** Where a mark lies: the six numbers of an SVG matrix, in points from the upper left corner of the first page. */
const at = z.string();
/** An SVG path. */
const outline = z.string();

const Line = z.object({
  kind: z.literal("line"),
  at,
  fill: z.string(),
  /** Which outline each glyph has, by its place in `outlines`. */
  glyphs: z.array(z.int()),
  /** Where each glyph begins. */
  starts: z.array(z.number()),
});
const Shape = z.object({
  kind: z.literal("shape"),
  at,
  outline,
  fill: z.string(),
  stroke: z.string(),
  strokeWidth: z.number(),
});
const Picture = z.object({
  kind: z.literal("picture"),
  at,
  /** As a data URL. */
  picture: z.string(),
  width: z.number(),
  height: z.number(),
  /** What is shown of it, in the same coordinates. */
  clip: outline,
});
const Mark = z.discriminatedUnion("kind", [Line, Shape, Picture]);
export type Mark = z.infer<typeof Mark>;

/**
 * Pages below each other as outlines, in the order in which they are painted: no text, no address and no element that a
 * person could have written. What did not change between two drawings is equal in both.
 */
export const Drawing = z.object({
  /** In points, as all lengths. */
  width: z.number(),
  height: z.number(),
  /** Of glyphs, each once; relative to where a glyph begins. */
  outlines: z.array(outline),
  marks: z.array(Mark),
});
export type Drawing = z.infer<typeof Drawing>;
