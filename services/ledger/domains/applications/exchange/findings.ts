import type { ImportFinding, NewApplication } from "@pro-talent/schemas/applications/calls";
import { applicationLimits } from "@pro-talent/schemas/applications/limits";
import { cleanLine } from "@pro-talent/schemas/studio/clean-text";
import type { z } from "zod";

type Finding = z.infer<typeof ImportFinding>;
/** What a file has, for review. */
export type Imported = {
  readonly applications: z.input<typeof NewApplication>[];
  readonly findings: Finding[];
};
type Place = { readonly row: number; readonly column: string };

/** More than a person reads. */
const findingsMax = 500;
const textCharsMax = 300;

const beginning = (text: string, most: number): string =>
  cleanLine(text).slice(0, most).toWellFormed();

/** Collects what an import could not take over as it was. */
export function openFindings() {
  const findings: Finding[] = [];
  const add = ({ row, column }: Place, code: Finding["code"], text: string): void => {
    if (findings.length >= findingsMax) return;
    const part = { column: beginning(column, textCharsMax), text: beginning(text, textCharsMax) };
    findings.push({ row, code, ...part });
  };
  /** A text on one line, of at most the length of its field. */
  const line = (text: string, at: Place, most: number = applicationLimits.lineCharsMax): string => {
    const clean = cleanLine(text);
    if (clean.length <= most) return clean;
    add(at, "shortened", clean);
    return cleanLine(clean.slice(0, most));
  };
  /** A text of several lines. */
  const lines = (text: string, at: Place): string => {
    const clean = text
      .replaceAll(/[^\S\n]*\r?\n/gu, "\n")
      .replaceAll("\0", "")
      .trim()
      .toWellFormed();
    if (clean.length <= applicationLimits.noteCharsMax) return clean;
    add(at, "shortened", clean);
    return clean.slice(0, applicationLimits.noteCharsMax).toWellFormed().trim();
  };
  return { findings, add, line, lines };
}
export type Findings = ReturnType<typeof openFindings>;
