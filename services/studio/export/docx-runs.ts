import type { Run } from "@pro-talent/schemas/studio/rich-text";
import { ExternalHyperlink, type IRunOptions, type ParagraphChild, TextRun } from "docx";

const rtlCharacter = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u;
const ltrCharacter = /[\p{L}--[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]]/v;

/** Text of one direction. */
export type Directed = { readonly text: string; readonly rtl: boolean };

/**
 * Divides text where its direction changes. Word processors order what lies between by the direction that
 * each run states, not by its characters. Digits and signs belong to what precedes them.
 */
export function directedRuns(text: string, rtl: boolean): Directed[] {
  const runs: { text: string; rtl: boolean }[] = [];
  for (const word of text.split(/(?<= )/)) {
    const own = rtlCharacter.test(word) ? true : ltrCharacter.test(word) ? false : undefined;
    const last = runs.at(-1);
    const direction = own ?? last?.rtl ?? rtl;
    if (last?.rtl === direction) last.text += word;
    else runs.push({ text: word, rtl: direction });
  }
  return runs;
}

/** Text as runs of a paragraph of that direction. */
export function textRuns(text: string, rtl: boolean, options: IRunOptions = {}): TextRun[] {
  return directedRuns(text, rtl).map(
    (run) => new TextRun({ ...options, text: run.text, rightToLeft: run.rtl }),
  );
}

/** A link, or its text alone where it leads nowhere. */
export function linkRuns(
  text: string,
  href: string | null,
  rtl: boolean,
  options: IRunOptions = {},
): ParagraphChild[] {
  if (href === null) return textRuns(text, rtl, options);
  const children = textRuns(text, rtl, { ...options, style: "Hyperlink" });
  return [new ExternalHyperlink({ link: href, children })];
}

/** Rich text as runs of a paragraph of that direction. */
export function richRuns(runs: readonly Run[], rtl: boolean): ParagraphChild[] {
  return runs.flatMap(({ text, bold, italic, link }) =>
    linkRuns(text, link, rtl, { bold, italics: italic }),
  );
}
