import { ImportFinding, importSources } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { z } from "zod";

/** What was read from a file; null when nothing could be. */
export const ImportAnswer = z
  .object({
    source: z.enum(importSources),
    document: CvDocument,
    findings: z.array(ImportFinding).readonly(),
  })
  .nullable();
export type ImportAnswer = z.infer<typeof ImportAnswer>;
