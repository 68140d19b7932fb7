import type { CvDocument } from "@pro-talent/schemas/studio/document";
import type { Page } from "@pro-talent/schemas/studio/page";
import {
  AlignmentType,
  Document,
  type IRunOptions,
  type IParagraphOptions,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  TabStopType,
  TextRun,
} from "docx";

import { type Outline, type OutlineEntry, outlineOf } from "../outline.ts";
import { linkRuns, richRuns, textRuns } from "./docx-runs.ts";

/** Typefaces that word processors bring; the file embeds none. */
const fonts: Readonly<Record<Page["fonts"], { readonly title: Face; readonly text: Face }>> = {
  serif: { title: face("Georgia", "David"), text: face("Georgia", "David") },
  humanist: { title: face("Calibri", "Arial"), text: face("Calibri", "Arial") },
  grotesque: { title: face("Arial", "Arial"), text: face("Arial", "Arial") },
  mixed: { title: face("Georgia", "David"), text: face("Calibri", "Arial") },
};
type Face = ReturnType<typeof face>;
function face(latin: string, hebrew: string) {
  return { ascii: latin, hAnsi: latin, eastAsia: latin, cs: hebrew };
}

const accents: Readonly<Record<Page["accent"], string>> = {
  ink: "2B323B",
  blue: "1D4F91",
  teal: "0B5F66",
  green: "27613A",
  burgundy: "822433",
  plum: "633278",
  rust: "94401B",
};
/** Half points. */
const textSize = { dense: 19, normal: 21, airy: 23 } as const;
/** Twentieths of a point. */
const paper = {
  a4: { width: 11_906, height: 16_838 },
  us: { width: 12_240, height: 15_840 },
} as const;
const margin = 1_134;
const bulletReference = "bullets";

/** A CV as a word processor's file, with its own headings, lists and directions. */
export async function docxOf(document: CvDocument): Promise<Buffer> {
  const outline = outlineOf(document);
  const { page } = document;
  const file = new Document({
    title: outline.name,
    creator: outline.name,
    styles: stylesOf(document),
    numbering: { config: [{ reference: bulletReference, levels: [bulletLevel] }] },
    sections: [
      {
        properties: {
          page: {
            size: paper[page.size],
            margin: { top: margin, bottom: margin, left: margin, right: margin },
          },
        },
        children: paragraphsOf(outline, paper[page.size].width - 2 * margin),
      },
    ],
  });
  return Buffer.from(await Packer.toBuffer(file));
}

const bulletLevel = {
  level: 0,
  format: LevelFormat.BULLET,
  text: "•",
  alignment: AlignmentType.START,
  style: { paragraph: { indent: { start: 284, hanging: 284 } } },
};

function stylesOf({ page, language }: CvDocument) {
  const size = textSize[page.density];
  const { title, text } = fonts[page.fonts];
  const color = accents[page.accent];
  const heading = (run: IRunOptions, before: number) => ({
    run: { font: title, color, bold: true, ...run },
    paragraph: { spacing: { before, after: 60 }, keepNext: true },
  });
  return {
    default: {
      document: {
        run: {
          font: text,
          size,
          language: { value: language === "he" ? "he-IL" : "en-US", bidirectional: "he-IL" },
        },
        paragraph: { spacing: { after: 40 } },
      },
      heading1: heading({ size: size * 2 }, 0),
      heading2: heading({ size: size + 4 }, 240),
      heading3: heading({ size, color: "1C2026" }, 120),
      hyperlink: { run: { color, underline: {} } },
    },
  };
}

function paragraphsOf(outline: Outline, width: number): Paragraph[] {
  const rtl = outline.language === "he";
  const paragraph = (children: ParagraphChild[], options: IParagraphOptions = {}): Paragraph =>
    new Paragraph({ ...options, children, bidirectional: rtl, alignment: AlignmentType.START });
  const line = (text: string, options: IParagraphOptions = {}): Paragraph[] =>
    text === "" ? [] : [paragraph(textRuns(text, rtl), options)];
  const contacts = outline.contacts.map(({ text, href }) => linkRuns(text, href, rtl));
  const entryParagraphs = (entry: OutlineEntry): Paragraph[] => [
    ...headOf(entry, rtl, width).map(({ children, ...options }) => paragraph(children, options)),
    ...(entry.note.length === 0 ? [] : [paragraph(richRuns(entry.note, rtl))]),
    ...entry.bullets.map((bullet) =>
      paragraph(richRuns(bullet, rtl), { numbering: { reference: bulletReference, level: 0 } }),
    ),
  ];
  return [
    ...line(outline.name, { heading: "Heading1" }),
    ...line(outline.headline),
    ...(contacts.length === 0 ? [] : [paragraph(separated(contacts, "  |  ", rtl))]),
    ...outline.sections.flatMap(({ title, entries }) => [
      ...line(title, {
        heading: "Heading2",
        border: { bottom: { style: "single", size: 4, space: 2 } },
      }),
      ...entries.flatMap(entryParagraphs),
    ]),
  ];
}

type Line = Omit<IParagraphOptions, "children"> & { readonly children: ParagraphChild[] };

/** The lines above the bullets of an entry: title and dates, then where it was. */
function headOf(entry: OutlineEntry, rtl: boolean, width: number): Line[] {
  if (entry.items.length > 0) {
    const name = entry.title === "" ? [] : textRuns(`${entry.title}: `, rtl, { bold: true });
    return [{ children: [...name, ...textRuns(entry.items.join(", "), rtl)] }];
  }
  const dates =
    entry.dates === "" ? [] : [new TextRun("\t"), ...textRuns(entry.dates, rtl, { bold: false })];
  const title = [...textRuns(entry.title, rtl), ...dates];
  const where = [
    ...[entry.subtitle, entry.place]
      .filter((text) => text !== "")
      .map((text) => textRuns(text, rtl)),
    ...(entry.link === null ? [] : [linkRuns(entry.link.text, entry.link.href, rtl)]),
  ];
  const tabStops = [{ type: TabStopType.RIGHT, position: width }];
  return [
    ...(title.length === 0 ? [] : [{ heading: "Heading3", tabStops, children: title } as const]),
    ...(where.length === 0 ? [] : [{ keepNext: true, children: separated(where, ", ", rtl) }]),
  ];
}

function separated(
  parts: readonly ParagraphChild[][],
  separator: string,
  rtl: boolean,
): ParagraphChild[] {
  return parts.flatMap((part, index) =>
    index === 0 ? part : [new TextRun({ text: separator, rightToLeft: rtl }), ...part],
  );
}
