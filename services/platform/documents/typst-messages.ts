import { z } from "zod";

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** One document to draw: the template is the product's own source, `data` is text for it, never source. */
export const DocumentRequest = z.object({
  id: z.int(),
  template: z.string(),
  data: z.string(),
  /** Of the document, in seconds since 1970: the same input gives the same bytes. */
  timestamp: z.int(),
  form: z.enum(["pdf", "svg"]),
  /** By the path under which the template reads them. */
  files: z.record(z.string(), Bytes),
});
export const DocumentAnswer = z.object({
  id: z.int(),
  /** The PDF, or the SVG in UTF-8. */
  bytes: Bytes.nullable(),
  pages: z.int(),
  /** Whether it keeps PDF/UA-1, which a character without a glyph prevents. */
  accessible: z.boolean(),
  fault: z.string().nullable(),
});
export type DocumentAnswer = z.infer<typeof DocumentAnswer>;
export type DocumentRequest = z.infer<typeof DocumentRequest>;
