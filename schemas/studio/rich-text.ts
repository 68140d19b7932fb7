import { z } from "zod";

import { cleanRun } from "./clean-text.ts";
import { cvLimits } from "./limits.ts";
import { linkTarget } from "./link.ts";
import { joined, plainOf, type Run } from "./runs.ts";

const Run = z.object({
  text: z.string().transform(cleanRun),
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  /** Where it leads; an address that is not allowed is dropped and its text stays. */
  link: z
    .string()
    .nullable()
    .default(null)
    .transform((link) => (link === null ? null : linkTarget(link))),
});

/** A paragraph with bold, italic and links, and nothing else. */
export const RichText = z
  .array(Run)
  .max(cvLimits.runsMax)
  .transform(joined)
  .refine((runs) => plainOf(runs).length <= cvLimits.richCharsMax, "too long");
export type RichText = z.infer<typeof RichText>;

/** A paragraph without marks. */
export const plainRuns = (text: string): Run[] =>
  joined([{ text: cleanRun(text), bold: false, italic: false, link: null }]);
