import type { CvDocument } from "@pro-talent/schemas/studio/document";

import { charactersWithoutGlyph } from "../faces.ts";
import { type DatesAt, type Field, fieldsOf } from "../fields.ts";
import { outlineOf } from "../outline.ts";
import { compare, type Found } from "./compare.ts";
import type { ReadTexts } from "./readers.ts";

/** What a person can change so that a reader gets a field whole. */
export type Advice =
  | "replace-characters"
  | "shorten-word"
  | "keep-one-direction"
  | "prefer-docx"
  | "report-fault";

type Reading = {
  readonly file: "pdf" | "docx";
  readonly reader: string;
  readonly fields: readonly {
    readonly path: string;
    readonly text: string;
    readonly found: Found;
    /** Of fields that are not whole. */
    readonly advice: Advice | null;
  }[];
  /** Shares of words from 0 to 1: found at all, and found in the order of the page. */
  readonly words: number;
  readonly order: number;
};
type ReadBack = {
  readonly readings: readonly Reading[];
  /** The file to send where the system that reads it is unknown. */
  readonly recommended: "pdf" | "docx";
};

const rightToLeft = /[\u0590-\u08FF]/u;
const leftToRight = /[\p{Script=Latin}\d]/u;

/** In the order in which the templates set the head of an entry. */
export function datesAt({ page }: CvDocument): DatesAt {
  return page.template === "rail" || page.template === "editorial" ? "before" : "after";
}

/** Compares what readers got from the files of a CV with what was written. */
export function readBack(document: CvDocument, texts: ReadTexts): ReadBack {
  const outline = outlineOf(document);
  const missing = charactersWithoutGlyph(outline, document.page.fonts);
  const advise = (field: Field, file: "pdf" | "docx"): Advice => {
    if (file === "docx") return "report-fault";
    if (missing.some((character) => field.text.includes(character))) return "replace-characters";
    if (/\S{34}/u.test(field.text)) return "shorten-word";
    if (document.language === "he") return "prefer-docx";
    return rightToLeft.test(field.text) && leftToRight.test(field.text)
      ? "keep-one-direction"
      : rightToLeft.test(field.text)
        ? "prefer-docx"
        : "report-fault";
  };
  const reading = (file: "pdf" | "docx", reader: string, text: string): Reading => {
    const at = file === "pdf" ? datesAt(document) : "after";
    const { fields, ...shares } = compare(fieldsOf(outline, at), text);
    return {
      file,
      reader,
      ...shares,
      fields: fields.map(({ field, found }) => ({
        path: field.path,
        text: field.text,
        found,
        advice: found === "whole" ? null : advise(field, file),
      })),
    };
  };
  const readings = [
    ...Object.entries(texts.pdf).map(([name, text]) => reading("pdf", name, text)),
    ...Object.entries(texts.docx).map(([name, text]) => reading("docx", name, text)),
  ];
  const isWhole = (file: string): boolean =>
    readings
      .filter((one) => one.file === file)
      .every(({ fields }) => fields.every(({ found }) => found === "whole"));
  return { readings, recommended: isWhole("pdf") || !isWhole("docx") ? "pdf" : "docx" };
}
