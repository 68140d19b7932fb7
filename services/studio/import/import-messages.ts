import { importSources } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { z } from "zod";

const Finding = z.object({
  path: z.string(),
  code: z.enum(["wrong-type", "shortened", "not-a-date", "no-place", "too-many", "uncertain"]),
  text: z.string(),
});
/** What was read from a file; null when nothing could be. */
export const ImportAnswer = z
  .object({
    source: z.enum(importSources),
    document: CvDocument,
    findings: z.array(Finding).readonly(),
  })
  .nullable();
export type ImportAnswer = z.infer<typeof ImportAnswer>;
