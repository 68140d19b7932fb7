import { z } from "zod";

import { cvLimits } from "./limits.ts";
import { linkTarget } from "./link.ts";
import { cleanRun } from "./text.ts";

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
/** Text with the same marks from its beginning to its end. */
export type Run = z.infer<typeof Run>;

const sameMarks = (one: Run, other: Run): boolean =>
  one.bold === other.bold && one.italic === other.italic && one.link === other.link;

/** The same text in the fewest runs, without spaces at its ends and without repeated ones. */
function joined(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    const startsAnew = last === undefined || last.text.endsWith(" ");
    const text = run.text
      .replaceAll(/ {2,}/g, " ")
      .slice(startsAnew && run.text[0] === " " ? 1 : 0);
    if (text === "") continue;
    if (last !== undefined && sameMarks(last, run)) last.text += text;
    else kept.push({ ...run, text });
  }
  const end = kept.at(-1);
  if (end !== undefined) end.text = end.text.trimEnd();
  return end?.text === "" ? kept.slice(0, -1) : kept;
}

/** The text alone. */
export const plainOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

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
