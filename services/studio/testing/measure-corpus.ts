import { isDeepStrictEqual } from "node:util";

import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { z } from "zod";

import { docxOf } from "../export/docx.ts";
import { jsonResumeOf } from "../export/json-resume.ts";
import { plainTextOf } from "../export/plain-text.ts";
import { charactersWithoutGlyph } from "../faces.ts";
import { type Field, fieldsOf } from "../fields.ts";
import { outlineOf } from "../outline.ts";
import type { CvDrawer } from "../pdf/draw-cv.ts";
import { compare, dividedWord } from "../reading/compare.ts";
import { datesAt, readBack } from "../reading/read-back.ts";
import { readFiles } from "../reading/readers.ts";
import type { CorpusCv } from "./corpus.ts";
import { readWithInstalled } from "./installed-readers.ts";

const rightToLeft = /[\u0590-\u08FF]/u;
const noon = Date.UTC(2026, 0, 1, 12);

/** A share: so many of so many. */
type Share = { found: number; of: number };
const none = (): Share => ({ found: 0, of: 0 });
function add(share: Share, found: number, of: number): void {
  share.found += found;
  share.of += of;
}

/** What one reader gets from the files in one language. */
export type ReaderFigures = {
  /** Fields without right-to-left text of which every character has a glyph. */
  readonly latin: Share;
  /** Those of CVs without right-to-left text, and without a word that is longer than a line. */
  readonly plain: Share;
  /** Fields with right-to-left text of which every character has a glyph. */
  readonly rightToLeft: Share;
  /** Mailbox, telephone and addresses. */
  readonly contact: Share;
  /** Fields with a character that the typefaces lack; they are named before the export. */
  readonly replaced: Share;
  readonly words: Share;
  readonly order: Share;
  /** Of CVs without anything unusual. */
  readonly usualOrder: Share;
};
const noFigures = (): ReaderFigures => ({
  latin: none(),
  plain: none(),
  rightToLeft: none(),
  contact: none(),
  replaced: none(),
  words: none(),
  order: none(),
  usualOrder: none(),
});

function kindOf({ text }: Field, missing: readonly string[]): "latin" | "rightToLeft" | "replaced" {
  if (missing.some((character) => text.includes(character))) return "replaced";
  return rightToLeft.test(text) ? "rightToLeft" : "latin";
}

type Made = CorpusCv & { readonly pdf: Buffer; readonly docx: Buffer; readonly pages: number };
type Figures = Map<string, ReaderFigures>;

function count(figures: Figures, reader: string, { document, oddity }: Made, text: string): void {
  const name = `${reader} ${document.language}`;
  const kept = figures.get(name) ?? noFigures();
  figures.set(name, kept);
  const outline = outlineOf(document);
  const isPage = reader !== "docx" && reader !== "text";
  const missing = isPage ? charactersWithoutGlyph(outline, document.page.fonts) : [];
  const all = fieldsOf(outline, isPage ? datesAt(document) : "after");
  const isOneDirection = !all.some(({ text: written }) => rightToLeft.test(written));
  const isReplaced = (field: Field): boolean => kindOf(field, missing) === "replaced";
  const replaced = compare(all.filter(isReplaced), text).fields;
  const { fields, words, order } = compare(
    all.filter((field) => !isReplaced(field)),
    text,
  );
  for (const { field, found } of [...fields, ...replaced]) {
    const whole = found === "whole" ? 1 : 0;
    const kind = kindOf(field, missing);
    add(kept[kind], whole, 1);
    if (kind === "latin" && isOneDirection && !dividedWord.test(field.text))
      add(kept.plain, whole, 1);
    if (field.isContact) add(kept.contact, whole, 1);
  }
  const wordCount = fields.reduce((sum, { field }) => sum + field.text.split(" ").length, 0);
  add(kept.words, words * wordCount, wordCount);
  add(kept.order, order * wordCount, wordCount);
  if (oddity === "none") add(kept.usualOrder, order * wordCount, wordCount);
}

/** Whether the document cannot be had again from its JSON, or the JSON has not what others look for. */
function isLostInJson({ document }: Made): boolean {
  const resume = JSON.parse(JSON.stringify(jsonResumeOf(document)));
  const { meta, basics } = z.object({ meta: z.unknown(), basics: z.unknown() }).parse(resume);
  const again = z.object({ document: z.unknown() }).parse(meta).document;
  const { fullName, email } = document.profile;
  return (
    !isDeepStrictEqual(readCvDocument(again), document) ||
    !isDeepStrictEqual(
      z.object({ name: z.string(), email: z.string().default("") }).parse(basics),
      {
        name: fullName,
        email,
      },
    )
  );
}

/** Makes every file of the corpus and has it read by the product, and by what else is installed. */
export async function measureCorpus(
  drawer: CvDrawer,
  cvs: readonly CorpusCv[],
  { withInstalled = true } = {},
) {
  const failed: string[] = [];
  const made: Made[] = [];
  let conforming = 0;
  for (const cv of cvs) {
    try {
      const { pdf, pages, accessible } = await drawer.pdf(cv.document, noon, {
        name: `${cv.seed}`,
      });
      const docx = await docxOf(cv.document);
      if (accessible) conforming += 1;
      made.push({ ...cv, pdf, docx, pages });
    } catch (error) {
      failed.push(`${cv.seed}: ${String(error)}`);
    }
  }
  const figures: Figures = new Map();
  const advised = new Map<string, number>();
  for (const one of made) {
    const texts = await readFiles(one.pdf, one.docx);
    for (const [reader, text] of Object.entries(texts.pdf)) count(figures, reader, one, text);
    count(figures, "docx", one, texts.docx.mammoth);
    count(figures, "text", one, plainTextOf(outlineOf(one.document)));
    const { readings } = readBack(one.document, texts);
    for (const { advice } of readings.flatMap(({ fields }) => fields))
      if (advice !== null) advised.set(advice, (advised.get(advice) ?? 0) + 1);
  }
  const installed = withInstalled ? await readWithInstalled(made.map(({ pdf }) => pdf)) : {};
  for (const [reader, texts] of Object.entries(installed))
    made.forEach((one, index) => count(figures, reader, one, texts[index] ?? ""));
  const lostInJson = made.filter(isLostInJson).length;
  return { made, failed, conforming, figures, advised, lostInJson };
}
